# create_dir PATH
if [ ! -d "$1" ] && ! said=$(mkdir -p "$1" 2>&1) && [ ! -d "$1" ]; then
    { [ -e "$1" ] || [ -L "$1" ]; } && fail EEXIST mkdir
    why "$1"
    # Every directory of the path is fine, or missing: then it is the tool that knows what is wrong.
    [ "$E" != ENOENT ] || code_of "$said" EACCES
    fail "$E" mkdir
fi
say ok
