# rg PATH BASE ARGUMENT...: calls ripgrep with the arguments.
[ -e "$1" ] || { why "$1" && absent "$E" stat; }
path=$1
# Globs are relative to the directory where it runs.
cd "$2" 2>/dev/null || cd /
shift 2
if [ -d "$path" ]; then
    say kind d
    { [ -r "$path" ] && [ -x "$path" ]; } || fail EACCES scandir
else
    say kind o
    [ -f "$path" ] || special "$path"
    [ -r "$path" ] || fail EACCES open
    # A file that is named is searched whatever is in it.
    set -- --text "$@"
fi
command -v rg >/dev/null || { say none && exit 0; }
exec 4>&1
said=$(rg "$@" 2>&1 >&4)
say rg "$?" "$said"
