# find PATH ARGUMENT...: what is below PATH: kind, path, NUL. With fd, called with the arguments, only what it lets through.
[ -e "$1" ] || { why "$1" && absent "$E" stat; }
[ -d "$1" ] || fail ENOTDIR scandir
{ [ -r "$1" ] && [ -x "$1" ]; } || fail EACCES scandir
top=$1
shift
fd=$(command -v fd || command -v fdfind) || fd=''
if [ -n "$fd" ] && [ "$#" -gt 0 ]; then
    # Ignore files count outside of repositories, too; inside, fd knows where they end.
    up=$top
    while [ -n "$up" ] && [ ! -e "$up/.git" ]; do up=${up%/*}; done
    if [ -z "$up" ] && [ ! -e /.git ] && "$fd" --help 2>/dev/null | grep -q -e --no-require-git; then
        set -- --no-require-git "$@"
    fi
    # shellcheck disable=SC2016 # for the inner shell
    kinds='
for path; do
    if [ -d "$path" ] && [ ! -L "${path%/}" ]; then kind=d; else kind=o; fi
    printf "%s%s\000" "$kind" "$path"
done
'
    exec 4>&1
    # Three streams: names to xargs, what it makes of them to 4, complaints and the code to the variable.
    said=$({ { "$fd" "$@" 2>&3; echo "code $?" >&3; } | xargs -0 sh -c "$kinds" sh >&4; } 3>&1)
    say fd "${said##*code }" "${said%code *}"
    exit 0
fi
find -H "$top" -type d -exec printf 'd%s\000' {} + -o -exec printf 'o%s\000' {} + 2>/dev/null
say find
