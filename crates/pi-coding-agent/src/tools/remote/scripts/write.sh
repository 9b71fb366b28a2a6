# write PATH SIZE: replaces the content by SIZE bytes of standard input. The new content is complete before the old one
# goes: a file beside it takes its place, or, where that would lose links, owner or access rules, is copied over it.

# make PATH: a new, empty file.
make() {
    (set -C && : >"$1") 2>/dev/null
}

# dress: gives the new file the owner and the mode of the old one.
dress() {
    # shellcheck disable=SC2012,SC2046 # fields are wanted
    set -- $(ls -ldn "$new")
    if [ "$3:$4" != "$owner" ]; then chown "$owner" "$new" 2>/dev/null || return 1; fi
    [ -n "$mode" ] && chmod "$mode" "$new" 2>/dev/null
}

set -f
path=$1 size=$2 owner='' mode='' over=''
resolve "$path"
case $? in
    1) fail ELOOP open ;;
    2) fail EACCES open ;;
esac
file=$R dir=${R%/*}
dir=${dir:-/}
[ -d "$file" ] && fail EISDIR open
[ -p "$file" ] || [ -S "$file" ] && special "$file"
if [ -e "$file" ]; then
    [ -w "$file" ] || fail EACCES open
    # shellcheck disable=SC2012,SC2046 # fields are wanted
    set -- $(ls -ldn "$file" 2>/dev/null)
    owner=$3:$4
    mode=$(stat -c %a "$file" 2>/dev/null || stat -f %Mp%Lp "$file" 2>/dev/null)
    # Other names of the file, access rules beyond the mode, devices.
    [ "$2" = 1 ] || over=y
    case $1 in -*+) over=y ;; -*) ;; *) over=y ;; esac
else
    why "$file"
    [ "$E" = ENOENT ] && [ -d "$dir" ] || fail "$E" open
    [ -w "$dir" ] || fail EACCES open
fi

new=$dir/.pi-$N
trap 'rm -f "$new"' EXIT
trap 'exit 1' HUP INT TERM PIPE
if [ -n "$over" ] || ! make "$new" || { [ -n "$owner" ] && ! dress; }; then
    rm -f "$new"
    new=${TMPDIR:-/tmp}/.pi-$N over=y
    (umask 077 && make "$new") || fail EACCES open
fi
said=
# `head` stops by itself: not every way to another machine passes an end of input on.
if [ "$size" -gt 0 ]; then said=$(head -c "$size" 2>&1 >"$new"); fi
if [ "$(($(wc -c <"$new")))" -ne "$size" ]; then
    code_of "$said" EIO
    fail "$E" write -
fi
if [ -f "$file" ] && cmp -s "$new" "$file"; then
    # Nothing changes, its times neither.
    :
elif [ -n "$over" ]; then
    said=$( { cat <"$new" >"$file"; } 2>&1) || { code_of "$said" EIO && fail "$E" write -; }
    # A write takes the setuid and setgid bits away.
    if [ -f "$file" ] && [ -n "$mode" ]; then chmod "$mode" "$file" 2>/dev/null; fi
else
    if [ -n "$owner" ]; then
        chmod "$mode" "$new" 2>/dev/null
        touch -a -r "$file" "$new" 2>/dev/null
    fi
    said=$(mv -f "$new" "$file" 2>&1) || { code_of "$said" EIO && fail "$E" rename; }
fi
say ok
