# shellcheck shell=sh disable=SC2154 # whoever reads it sets me
# What set-up and installation need of Debian; it is read by both, which say who they are in `me`.

say() { echo "$me: $*"; }

# PyPI has evdev built for PCs only, and spidev for nothing. On a Pi and any other board both come from Debian, and an
# environment sees them only if it sees the packages of Debian's Python.
uses_debians_drivers() { [ "$(uname -m)" != x86_64 ]; }

usable_python() {
    # Debian's packages belong to Debian's Python, whichever else comes first in the PATH.
    if uses_debians_drivers; then debians=/usr/bin/python3; else debians=; fi
    for python in $debians python3 python3.13 python3.12 python3.11; do
        "$python" -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
            2>/dev/null && command -v "$python" && return
    done
    return 1
}

# Each line: a library, then the Debian packages that may hold it (names changed with trixie).
needed_libraries() {
    cat <<LIBRARIES
libGL.so.1 libgl1
libEGL.so.1 libegl1
libGLESv2.so.2 libgles2
libgbm.so.1 libgbm1
libudev.so.1 libudev1
libmtdev.so.1 libmtdev1t64 libmtdev1
libasound.so.2 libasound2t64 libasound2
LIBRARIES
}

missing_packages() {
    usable_python >/dev/null || echo python3 python3-venv
    present=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p)
    needed_libraries | while read -r library packages; do
        case $present in *"$library "*) ;; *) echo "$packages" ;; esac
    done
    ls /usr/lib/*/dri/*_dri.so >/dev/null 2>&1 || echo libgl1-mesa-dri
    if uses_debians_drivers; then
        for package in python3-spidev python3-evdev; do
            dpkg-query --show "$package" >/dev/null 2>&1 || echo "$package"
        done
    fi
}

# Of each line of `needed_by_tests` that this machine lacks, the package.
missing_for_tests() {
    needed_by_tests | while read -r package programs; do
        for program in $programs; do
            [ ! -f "$program" ] || continue 2
            ! command -v "$program" >/dev/null || continue 2
        done
        echo "$package"
    done | sort -u
}

# Each line: a package, then the programs or files of it that tests use; one of them is enough.
needed_by_tests() { grep -v '^#' tests/programs.txt; }

# TweetNaCl, with which pages encrypt, is one file of Debian's node-tweetnacl; the package would bring all of node. It is
# unpacked into the checkout $1.
unpack_tweetnacl() {
    target=$1/companion/web/static/nacl-fast.min.js
    [ ! -s "$target" ] || return 0
    file=usr/share/nodejs/tweetnacl/nacl-fast.min.js
    if [ -s "/$file" ]; then cp "/$file" "$target" && return; fi
    download=$(mktemp -d)
    (
        cd "$download" && (get_tweetnacl || { as_root apt-get update --quiet=2 && get_tweetnacl; }) &&
            dpkg-deb --fsys-tarfile node-tweetnacl_*.deb | tar -xO "./$file" >nacl.js && [ -s nacl.js ]
    ) && install -m 644 "$download/nacl.js" "$target" || say "TweetNaCl can't be fetched: phones won't work, but everything else will"
    rm -rf "$download"
}

get_tweetnacl() { apt-get download --quiet=2 node-tweetnacl 2>/dev/null; }

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
        return
    fi
    command -v sudo >/dev/null || { say "sudo is missing; run this as root: $*"; return 1; }
    sudo "$@"
}

# A package that apt knows under the first of its names is not asked for under the second.
known_names() {
    for package in "$@"; do
        case " ${chosen:-} " in *" ${package%t64}t64 "*) continue ;; esac
        apt-cache show "$package" >/dev/null 2>&1 && chosen="${chosen:-} $package"
    done
    echo "${chosen:-}"
}

install_packages() {
    command -v apt-get >/dev/null || { say "this system has no apt-get; please install these packages (with Debian's names): $*"; exit 1; }
    say "Debian packages are missing; updating apt's lists"
    as_root apt-get update --quiet=2
    names=$(known_names "$@")
    say "installing$names"
    # shellcheck disable=SC2086 # names are words
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes \
        --no-install-recommends --option Dpkg::Use-Pty=0 $names >/dev/null
}
