#!/bin/sh
# Runs a command, by default both of a stranger's, in a clone inside a bare Debian root:
#     sudo scripts/fresh.sh bookworm|trixie [COMMAND]
# Mirror, package index, proxies and certificates are those of this machine's apt and pip.
# FRESH_CACHE=DIR keeps the bare root for the next time;
# FRESH_OUT=DIR takes the clone's out/ directory from the root before it is removed.
set -eu

suite=${1:?bookworm or trixie}
shift
command=${*:-make test && make run}
checkout=$(cd "$(dirname "$0")/.." && pwd)
[ "$(id -u)" = 0 ] || { echo "fresh: a root can only be made by root"; exit 1; }

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root
cache=${FRESH_CACHE:-$work/cache}
bare=$cache/$suite.tar
packages=ca-certificates,make
me=fresh
mkdir -p "$root" "$cache"
. "$checkout/scripts/roots.sh"

# The mounts live in a namespace of their own and end with the command.
inside() {
    # shellcheck disable=SC2016 # the inner shell fills them in
    settings | xargs -0 env -i HOME=/root LANG=C.UTF-8 TERM=dumb \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ROOT="$root" WORK="$work" COMMAND="$1" \
        "$(command -v unshare)" --mount --pid --fork sh -euc '
            mount -t proc proc "$ROOT/proc"
            mount --rbind /dev "$ROOT/dev"
            mount --rbind /sys "$ROOT/sys"
            while read -r path; do mount --bind -o ro "$path" "$ROOT$path"; done <"$WORK/binds"
            exec chroot "$ROOT" sh -euc "cd /srv/companion; $COMMAND" </dev/null'
}

[ -e "$bare" ] || bare_root
furnish
begun=$(date +%s)
status=0
inside "$command" || status=$?
[ -z "${FRESH_OUT:-}" ] || cp -r "$root/srv/companion/out/." "$FRESH_OUT/"
say "$command: exit $status after $(($(date +%s) - begun)) s"
exit "$status"
