# Look-ups that report what the system would say, without reading its messages.

# resolve PATH: sets R to the path without links; names that do not exist stay. Ends with 1 when there are too many links,
# with 2 when a directory may not be searched.
resolve() {
    R='' rest=$1/ links=0
    while [ -n "$rest" ]; do
        name=${rest%%/*}
        rest=${rest#*/}
        case $name in
            '' | .) continue ;;
            ..) R=${R%/*} && continue ;;
        esac
        if [ -L "$R/$name" ]; then
            links=$((links + 1))
            [ "$links" -le 40 ] || return 1
            # A name may end in line breaks, which $() would swallow.
            link=$(readlink "$R/$name" && printf x) || return 2
            link=${link%?x}
            case $link in /*) R='' ;; esac
            rest=$link/$rest
        elif [ -d "${R:-/}" ] && [ ! -x "${R:-/}" ]; then
            return 2
        else
            R=$R/$name
        fi
    done
    R=${R:-/}
}

# why PATH: sets E to the code with which looking PATH up fails.
why() {
    E=ENOENT
    resolve "$1"
    case $? in
        1) E=ELOOP && return ;;
        2) E=EACCES && return ;;
    esac
    up='' rest=${R#/}/
    while [ -n "$rest" ]; do
        name=${rest%%/*}
        rest=${rest#*/}
        if [ ! -e "${up:-/}" ]; then return; fi
        if [ ! -d "${up:-/}" ]; then E=ENOTDIR && return; fi
        if [ ! -x "${up:-/}" ]; then E=EACCES && return; fi
        if [ "${#name}" -gt 255 ]; then E=ENAMETOOLONG && return; fi
        up=$up/$name
    done
}

# code_of MESSAGE OTHERWISE: sets E to the code that a tool's message (in the C locale) speaks of.
code_of() {
    case $1 in
        *'No space left'*) E=ENOSPC ;;
        *[Qq]'uota exceeded'*) E=EDQUOT ;;
        *'Read-only file'*) E=EROFS ;;
        *'File too large'*) E=EFBIG ;;
        *'Text file busy'*) E=ETXTBSY ;;
        *'Permission denied'*) E=EACCES ;;
        *'not permitted'*) E=EPERM ;;
        *'name too long'*) E=ENAMETOOLONG ;;
        *) E=$2 ;;
    esac
}

# absent CODE CALL: ends because there is nothing. For the system a path below a file is a mistake of another sort.
absent() {
    if [ "$1" = ENOTDIR ]; then fail ENOENT "$2"; else fail "$1" "$2"; fi
}
