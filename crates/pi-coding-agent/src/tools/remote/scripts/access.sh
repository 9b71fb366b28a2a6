# access PATH MODE: MODE is r or rw.
[ -e "$1" ] || { why "$1" && fail "$E" access; }
[ -r "$1" ] || fail EACCES access
case $2 in *w*) [ -w "$1" ] || fail EACCES access ;; esac
say ok
