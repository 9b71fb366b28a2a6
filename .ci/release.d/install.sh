#!/bin/sh
# Installs pi @VERSION@ without root: the program into ~/.local/bin, with completions, manual pages and documentation.
#
#   curl -fsSL https://github.com/pi-agent/pi/releases/latest/download/install.sh | sh
#
# PREFIX=DIR             installs into DIR/bin and DIR/share instead of ~/.local
# PI_INSTALL_STATIC=1    the program that needs no C library of the system (Linux)
# PI_INSTALL_FROM=PLACE  a directory, or an address, that holds the archive and its checksum
# To remove it: delete PREFIX/bin/pi, PREFIX/share/doc/pi, PREFIX/share/man/man1/pi*.1 and the completions named at the end.
set -eu

version='@VERSION@'
from=${PI_INSTALL_FROM:-https://github.com/pi-agent/pi/releases/download/v$version}

fail() {
    echo "install: $*" >&2
    exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# The name that the archives give this machine.
target() {
    system=$(uname -s)
    machine=$(uname -m)
    case $machine in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) fail "there is no archive for $machine machines; build it: https://github.com/pi-agent/pi#readme" ;;
    esac
    case $system in
    Linux)
        if [ -n "${PI_INSTALL_STATIC:-}" ] || ! is_glibc; then echo "$machine-linux-static"; else echo "$machine-unknown-linux-gnu"; fi
        ;;
    Darwin)
        # Under Rosetta a shell believes that it runs on Intel.
        if [ "$machine" = x86_64 ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || echo 0)" = 1 ]; then machine=aarch64; fi
        echo "$machine-apple-darwin"
        ;;
    MINGW* | MSYS* | CYGWIN* | Windows*) fail "there is no archive for Windows yet; in WSL this works" ;;
    *) fail "there is no archive for $system; build it: https://github.com/pi-agent/pi#readme" ;;
    esac
}

# Whether programs for glibc run here; elsewhere (musl) only the static one does.
is_glibc() { getconf GNU_LIBC_VERSION >/dev/null 2>&1 || ldd --version 2>&1 | grep -qiE 'glibc|gnu libc'; }

# fetch NAME: brings a file of the release into the working directory.
fetch() {
    case $from in
    *://*)
        if has curl; then
            curl -fsSL --proto '=https,file' --retry 3 -o "$work/$1" "$from/$1" || fail "cannot fetch $from/$1"
        elif has wget; then
            wget -q -O "$work/$1" "$from/$1" || fail "cannot fetch $from/$1"
        else
            fail "neither curl nor wget is here to fetch $from/$1"
        fi
        ;;
    *) [ -f "$from/$1" ] && cp "$from/$1" "$work/$1" || fail "$from has no $1: no release for this machine?" ;;
    esac
}

sum() {
    if has sha256sum; then sha256sum "$1"; elif has shasum; then shasum -a 256 "$1"; else fail "neither sha256sum nor shasum is here to check the archive"; fi
}

# place MODE FILE DIRECTORY NAME: puts a file where it belongs, in one step: a program that runs keeps its own.
place() {
    mkdir -p "$3" 2>/dev/null && [ -w "$3" ] || fail "cannot write to $3: set PREFIX to a directory of yours"
    cp "$2" "$3/.$4.new" && chmod "$1" "$3/.$4.new" && mv -f "$3/.$4.new" "$3/$4" || fail "cannot write $3/$4"
}

# One function, so that a script that arrived in part does nothing.
main() {
    [ -n "${PREFIX:-}" ] || [ -n "${HOME:-}" ] || fail "neither PREFIX nor HOME says where to install"
    prefix=${PREFIX:-$HOME/.local}
    case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
    has tar || fail "tar is not here to unpack the archive"
    target=$(target) || exit 1
    name=pi-$version-$target
    work=$(mktemp -d) || fail "cannot make a temporary directory"
    trap 'rm -rf "$work"' EXIT

    fetch "$name.tar.gz"
    fetch "$name.tar.gz.sha256"
    expected=$(cut -d ' ' -f 1 "$work/$name.tar.gz.sha256")
    found=$(sum "$work/$name.tar.gz" | cut -d ' ' -f 1)
    [ -n "$expected" ] && [ "$expected" = "$found" ] || fail "$name.tar.gz is damaged: its checksum is $found, expected $expected. Nothing was installed"
    tar -xzf "$work/$name.tar.gz" -C "$work" || fail "cannot unpack $name.tar.gz"
    new=$work/$name
    "$new/bin/pi" --version >/dev/null 2>"$work/error" || fail "the program does not run here ($(head -n 1 "$work/error")); PI_INSTALL_STATIC=1 needs nothing of the system"

    place 755 "$new/bin/pi" "$prefix/bin" pi
    for page in "$new"/man/*.1; do place 644 "$page" "$prefix/share/man/man1" "${page##*/}"; done
    for page in README.md CHANGELOG.md LICENSE; do place 644 "$new/$page" "$prefix/share/doc/pi" "$page"; done
    for page in "$new"/docs/*.md; do place 644 "$page" "$prefix/share/doc/pi/docs" "${page##*/}"; done
    place 644 "$new/completions/pi.bash" "$prefix/share/bash-completion/completions" pi
    place 644 "$new/completions/_pi" "$prefix/share/zsh/site-functions" _pi
    place 644 "$new/completions/pi.fish" "$prefix/share/fish/vendor_completions.d" pi.fish

    echo "pi $version is installed: $prefix/bin/pi"
    echo "completions for bash, zsh and fish are below $prefix/share, pages in $prefix/share/man, documentation in $prefix/share/doc/pi"
    case ":${PATH:-}:" in
    *":$prefix/bin:"*) ;;
    *) echo "$prefix/bin is not on your PATH: add  export PATH=\"$prefix/bin:\$PATH\"  to your shell's profile" ;;
    esac
}

main "$@"
