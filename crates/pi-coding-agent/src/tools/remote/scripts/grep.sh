# grep KIND FLAGS PATTERN EXTENDED: searches the files named on standard input, each name ended by NUL; before the lines of
# a file comes its name, between NULs. EXTENDED is PATTERN for a grep that knows only the expressions of POSIX.
kind=$1 flags=$2 pattern=$3
if [ -z "$kind" ]; then
    if printf x | grep -q -P x 2>/dev/null; then kind=-P; else kind=-E pattern=$4; fi
fi
printf x | grep -q -I x 2>/dev/null && flags="$flags -I"
# shellcheck disable=SC2086 # flags are words
grep $kind $flags -e "$pattern" /dev/null
[ "$?" -le 1 ] || { say bad && exit 0; }

# Most files hold nothing: they are tried many at a time.
# shellcheck disable=SC2016 # for the inner shell
batch='
kind=$1 flags=$2 pattern=$3
shift 3
grep -q $kind $flags -e "$pattern" "$@" 2>/dev/null || exit 0
for file; do
    grep -q $kind $flags -e "$pattern" "$file" 2>/dev/null || continue
    printf "\000%s\000" "$file"
    grep -n $kind $flags -e "$pattern" "$file" 2>/dev/null | tr -d "\000"
done
'
xargs -0 -n 64 sh -c "$batch" sh "$kind" "$flags" "$pattern"
say ok
