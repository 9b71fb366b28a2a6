# rg PATH ARGUMENT...: calls ripgrep with the arguments.
[ -e "$1" ] || { why "$1" && fail "$E" stat; }
if [ -d "$1" ]; then say kind d; else say kind o; fi
command -v rg >/dev/null || { say none && exit 0; }
shift
rg "$@"
say rg "$?"
