#!/bin/sh
# Runs a command, by default both of a stranger's, in a clone inside a bare Debian root:
#     sudo scripts/fresh.sh [--user] bookworm|trixie [COMMAND]
# With --user it is run by an ordinary user who may use sudo, else by root.
# Mirror, package index, proxies and certificates are those of this machine's apt and pip.
# FRESH_CACHE=DIR keeps the bare root for the next time;
# FRESH_OUT=DIR takes the clone's out/ directory from the root before it is removed.
# It also fails if the command could not install all programs that tests run. Where no root can be made, as without
# a mirror, its exit status is 75.
set -eu

me=fresh user=root
[ "${1:-}" != --user ] || { user=aki && shift; }
suite=${1:?bookworm or trixie}
shift
command=${*:-make test && make run}
checkout=$(cd "$(dirname "$0")/.." && pwd)
. "$checkout/scripts/roots.sh"
[ "$(id -u)" = 0 ] || cannot "only root can make one"

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM
root=$work/root
cache=${FRESH_CACHE:-$work/cache}
bare=$cache/$suite.tar
packages=ca-certificates,make
if [ "$user" != root ]; then
    bare=$cache/$suite-user.tar
    packages=$packages,sudo
fi
mkdir -p "$root" "$cache"

# sudo asks for no password, as there is nobody to type it, and leaves apt the way to its mirror.
make_user() {
    chroot "$root" useradd --create-home --shell /bin/sh "$user"
    printf '%s\n' "$user ALL=(ALL) NOPASSWD: ALL" \
        'Defaults env_keep += "http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY"' \
        >"$root/etc/sudoers.d/$user"
    chroot "$root" chown --recursive "$user:" /srv/companion
}

# The mounts live in a namespace of their own and end with the command.
inside() {
    home=/root
    [ "$user" = root ] || home=/home/$user
    # shellcheck disable=SC2016 # the inner shell fills them in
    settings | xargs -0 env -i HOME="$home" USER="$user" LANG=C.UTF-8 TERM=dumb \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ROOT="$root" WORK="$work" COMMAND="$1" \
        "$(command -v unshare)" --mount --pid --fork --kill-child sh -euc '
            mount -t proc proc "$ROOT/proc"
            mount --rbind /dev "$ROOT/dev"
            mount --rbind /sys "$ROOT/sys"
            while read -r path; do mount --bind -o ro "$path" "$ROOT$path"; done <"$WORK/binds"
            exec chroot "$ROOT" setpriv --reuid="$USER" --regid="$USER" --init-groups \
                sh -euc "cd /srv/companion; $COMMAND" </dev/null'
}

[ -e "$bare" ] || bare_root
furnish
[ "$user" = root ] || make_user
begun=$(date +%s)
status=0
inside "$command" || status=$?
[ -z "${FRESH_OUT:-}" ] || cp -r "$root/srv/companion/out/." "$FRESH_OUT/"
if grep -qs . "$root/srv/companion/.venv/not-installed"; then
    say "could not install: $(xargs <"$root/srv/companion/.venv/not-installed")"
    [ "$status" != 0 ] || status=1
fi
say "$command: exit $status after $(($(date +%s) - begun)) s"
exit "$status"
