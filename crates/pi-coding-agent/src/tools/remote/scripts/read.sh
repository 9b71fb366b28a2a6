# read PATH HEAD: reports the size of a regular file and moves its content; with HEAD above 0 the first so many bytes.
[ -e "$1" ] || { why "$1" && fail "$E" open; }
[ -d "$1" ] && fail EISDIR read -
[ -f "$1" ] || special "$1"
[ -r "$1" ] || fail EACCES open
if [ "$2" -gt 0 ]; then
    # One read of a regular file is never short.
    dd bs="$2" count=1 <"$1" 2>/dev/null || fail EIO read -
else
    file=$1
    set -f
    # The fifth field is the size; a name, whatever is in it, comes after it. Some shells could not count that far.
    # shellcheck disable=SC2012,SC2046 # fields are wanted, and `stat` is not the same everywhere
    set -- $(ls -ldnL "$file" 2>/dev/null)
    say size "${5:-0}"
    cat <"$file" || fail EIO read -
fi
say ok
