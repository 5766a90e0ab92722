#!/bin/sh
# Gets MicroPython's Unix port as Debian 13 has it, with the C library it was built for, so that it
# runs on older Debians too; nothing is installed and root is not needed.
#     scripts/micropython/fetch.sh [DIR]     # once, 20 MB; ~/.cache/companion/micropython by default
#     DIR/micropython main.py
# Mirror, proxies and keys are those of this machine's apt. Does nothing when all is there.
set -eu

home=${1:-${COMPANION_MICROPYTHON:-$HOME/.cache/companion/micropython}}
[ ! -x "$home/micropython" ] || exit 0
say() { echo "micropython: $*"; }
command -v apt-get >/dev/null || { say "only apt knows where it is"; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mirror() {
    # shellcheck disable=SC2016 # apt fills them in
    apt-get indextargets --format '$(LABEL) $(SITE)' 'Created-By: Packages' |
        awk '$1 == "Debian" { print $2; exit }'
}

keys=$(find /usr/share/keyrings -name 'debian-archive-keyring.[gp]*' | head -n 1)
site=$(mirror)
[ -n "$site" ] || { say "apt knows no mirror of Debian"; exit 1; }

# An apt of its own: this machine's lists and packages stay as they are.
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/parts" "$work/unpacked"
: >"$work/status"
echo "deb [signed-by=$keys] $site trixie main" >"$work/sources"
apt() {
    apt-get --quiet=2 -o Dir::State="$work" -o Dir::State::lists="$work/lists" \
        -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" \
        -o Dir::Etc::sourcelist="$work/sources" -o Dir::Etc::sourceparts="$work/parts" \
        -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Acquire::Languages=none \
        -o APT::Sandbox::User= "$@"
}

say "asking apt for Debian 13's"
apt update
(cd "$work" && apt download micropython libc6 libffi8 libmbedcrypto16 libmbedtls21 libmbedx509-7)
for package in "$work"/*.deb; do dpkg-deb --extract "$package" "$work/unpacked"; done

mkdir -p "$home"
rm -rf "$home/unpacked"
mv "$work/unpacked" "$home/unpacked"
libraries=$(dirname "$(find "$home/unpacked" -name 'libc.so.6' | head -n 1)")
loader=$(find "$home/unpacked" -name 'ld-linux*.so.*' | head -n 1)
cat >"$home/micropython.new" <<RUN
#!/bin/sh
exec "$loader" --library-path "$libraries" "$home/unpacked/usr/bin/micropython" "\$@"
RUN
chmod +x "$home/micropython.new"
mv "$home/micropython.new" "$home/micropython"
say "$("$home/micropython" -c 'import sys; print(sys.version)') in $home"
