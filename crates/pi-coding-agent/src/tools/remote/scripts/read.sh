# read PATH LIMIT HEAD: the content of a regular file of up to LIMIT bytes, or of any the first HEAD bytes.
[ -e "$1" ] || { why "$1" && fail "$E" open; }
[ -d "$1" ] && fail EISDIR read -
[ -f "$1" ] || special "$1"
[ -r "$1" ] || fail EACCES open
if [ "$3" -gt 0 ]; then
    # One read of a regular file is never short.
    dd bs="$3" count=1 <"$1" 2>/dev/null || fail EIO read -
else
    file=$1 limit=$2
    set -f
    # The fifth field is the size; a name, whatever is in it, comes after it.
    # shellcheck disable=SC2012,SC2046 # fields are wanted, and `stat` is not the same everywhere
    set -- $(ls -ldnL "$file" 2>/dev/null)
    [ "${5:-0}" -le "$limit" ] || { say large "$5" && exit 0; }
    cat <"$file" || fail EIO read -
fi
say ok
