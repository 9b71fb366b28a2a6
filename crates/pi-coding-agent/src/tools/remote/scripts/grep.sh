# grep KIND FLAGS PATTERN EXTENDED: searches the files named on standard input, each name ended by NUL. Before the lines of
# a file comes, between NULs, whether its last line has an end (e or o), and its name. EXTENDED is PATTERN for a grep that
# knows only the expressions of POSIX.
kind=$1 flags=$2 pattern=$3
if [ -z "$kind" ]; then
    if printf x | grep -q -P x 2>/dev/null; then kind=-P; else kind=-E pattern=$4; fi
fi
# Some know neither -a nor -I, or take them without heed: then files that are no text must be found otherwise.
skip=''
# shellcheck disable=SC2086 # flags are words
case $flags in *-I) if printf 'x\000' | grep -q $flags x 2>/dev/null; then skip=y; fi ;; esac
# shellcheck disable=SC2086
printf x | grep -q $flags x 2>/dev/null || flags=${flags% -*}
# shellcheck disable=SC2086
said=$(grep $kind $flags -e "$pattern" /dev/null 2>&1)
[ "$?" -le 1 ] || { say bad "$said" && exit 0; }

# Most files hold nothing: they are tried many at a time.
# shellcheck disable=SC2016 # for the inner shell
batch='
kind=$1 flags=$2 pattern=$3 skip=$4
shift 4
grep -q $kind $flags -e "$pattern" "$@" 2>/dev/null || exit 0
for file; do
    grep -q $kind $flags -e "$pattern" "$file" 2>/dev/null || continue
    if [ -n "$skip" ] && [ "$(tr -d "\000" <"$file" | wc -c)" -ne "$(wc -c <"$file")" ]; then continue; fi
    if [ -z "$(tail -c 1 "$file" | tr -d "\000")" ]; then end=e; else end=o; fi
    printf "\000%s%s\000" "$end" "$file"
    grep -n $kind $flags -e "$pattern" "$file" 2>/dev/null | tr -d "\000"
done
'
xargs -0 -n 64 sh -c "$batch" sh "$kind" "$flags" "$pattern" "$skip"
say ok
