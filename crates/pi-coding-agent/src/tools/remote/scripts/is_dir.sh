# is_dir PATH
if [ -d "$1" ]; then
    printf y
elif [ ! -e "$1" ]; then
    why "$1"
    case $E in ENOENT | ENOTDIR) ;; *) fail "$E" stat ;; esac
fi
say ok
