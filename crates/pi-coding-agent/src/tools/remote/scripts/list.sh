# list PATH: for each entry its kind and its name, ended by NUL.

# show PATTERN FILE...: what PATTERN became; itself when it matched nothing.
show() {
    pattern=$1
    shift
    for entry; do
        if [ -d "$entry" ]; then kind=d
        elif [ -e "$entry" ]; then kind=o
        elif [ "$entry" = "$pattern" ] && [ ! -L "$entry" ]; then continue
        else kind=u
        fi
        printf '%s%s\000' "$kind" "${entry##*/}"
    done
}

[ -e "$1" ] || { why "$1" && absent "$E" stat; }
[ -d "$1" ] || fail ENOTDIR scandir
[ -r "$1" ] || fail EACCES scandir
dir=${1%/}
show "$dir/*" "$dir"/*
show "$dir/.[!.]*" "$dir"/.[!.]*
show "$dir/..?*" "$dir"/..?*
say ok
