#!/usr/bin/env bash
# Prints the path of an Emacs 29 or later: emacs.sh DIR. That is the one of the system (or $EMACS), else, on Debian 12, one of
# its backports, unpacked below DIR; nothing is installed. Fails where there is none.
set -uo pipefail
dir=${1:?usage: emacs.sh DIR}
mkdir -p "$dir" && dir=$(realpath "$dir") || exit 1

major() { "$1" --batch -Q --eval '(princ emacs-major-version)' 2>/dev/null || echo 0; }

own=$(command -v "${EMACS:-emacs}") && [ "$(major "$own")" -ge 29 ] && { echo "$own"; exit 0; }

grep -qs '^VERSION_CODENAME=bookworm$' /etc/os-release && command -v apt-get dpkg >/dev/null || exit 1
mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial" "$dir/sources" "$dir/debs" "$dir/root"
# Whatever mirror the system has.
mirror=$(grep -rhsE '^(deb|URIs:) ' /etc/apt/sources.list /etc/apt/sources.list.d | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1)
[ -n "$mirror" ] || exit 1
for suite in bookworm bookworm-backports; do
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror% } $suite main"
done >"$dir/sources/all.list"
# An apt of its own, so that the lists and sources of the system stay as they are.
apt=(timeout 300 apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$dir/sources" -o "Dir::State::lists=$dir/lists" -o "Dir::Cache=$dir/cache")
(
    cd "$dir/debs" && "${apt[@]}" update && "${apt[@]}" download libgccjit0 libtree-sitter0 \
        emacs-{nox,common,bin-common,el}/bookworm-backports && for deb in *.deb; do dpkg -x "$deb" "$dir/root" || exit 1; done
) >/dev/null 2>&1 || exit 1

usr=$dir/root/usr
version=$(basename "$(ls -d "$usr"/share/emacs/[0-9]* | tail -1)")
libexec=$(echo "$usr/libexec/emacs/$version"/*/)
# It looks for its files below /usr unless it is told.
cat >"$dir/emacs" <<RUN
#!/bin/sh
export LD_LIBRARY_PATH=$usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo x86_64-linux-gnu)
export EMACSDATA=$usr/share/emacs/$version/etc EMACSDOC=$usr/share/emacs/$version/etc EMACSPATH=$libexec
export EMACSLOADPATH=$(find "$usr/share/emacs/$version/lisp" -type d | tr '\n' ':')
exec $usr/bin/emacs-nox --dump-file=$(echo "$libexec"*.pdmp) "\$@"
RUN
chmod +x "$dir/emacs"
[ "$(major "$dir/emacs")" -ge 29 ] && echo "$dir/emacs"
