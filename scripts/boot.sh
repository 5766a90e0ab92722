#!/bin/sh
# Boots a bare Debian with systemd as init, in namespaces of its own, and stays until it is killed:
#     sudo scripts/boot.sh bookworm|trixie DIR
# DIR/pid holds the number of its init once it runs; DIR/root is its root, with a clone in /srv/companion:
#     sudo nsenter --target "$(cat DIR/pid)" --mount --pid --uts --ipc --cgroup --root --wd COMMAND
# FRESH_CACHE=DIR keeps the bare root for the next time. It has no devices but those of any container,
# no udev, and the network of this machine; with OWN_NETWORK=yes one of its own, in which there is nothing yet.
# A root that is there already is booted again, as it is; with READ_ONLY=DEVICE all that is written to it goes into
# memory, as in the read-only mode of Raspberry Pi OS, and DEVICE is mounted where the games are.
set -eu

suite=${1:?bookworm or trixie}
work=$(mkdir -p "${2:?a directory}" && cd "$2" && pwd)
checkout=$(cd "$(dirname "$0")/.." && pwd)
[ "$(id -u)" = 0 ] || { echo "boot: a root can only be made by root"; exit 1; }

me=boot
root=$work/root
cache=${FRESH_CACHE:-$work/cache}
bare=$cache/$suite-systemd.tar
# What a Raspberry Pi OS Lite has of it; the rest install.sh must bring.
packages=ca-certificates,make,systemd,systemd-sysv,dbus,udev,polkitd,network-manager,sudo,python3,python3-venv,git
mkdir -p "$root" "$cache"
# shellcheck source=scripts/roots.sh
. "$checkout/scripts/roots.sh"

furnish_to_boot() {
    [ -e "$bare" ] || bare_root
    furnish
    # The kernel's devices and networks are the host's: nobody in here may set them up.
    for unit in systemd-udevd.service systemd-udevd-kernel.socket systemd-udevd-control.socket \
        systemd-udev-trigger.service console-getty.service getty@.service systemd-networkd.service \
        systemd-resolved.service NetworkManager.service wpa_supplicant.service; do
        ln -sfn /dev/null "$root/etc/systemd/system/$unit"
    done
    mkdir -p "$root/boot/firmware"
    printf '# For more options see the documentation\ndtparam=audio=on\n\n[cm4]\notg_mode=1\n' \
        >"$root/boot/firmware/config.txt"
}

[ -e "$root/srv" ] || furnish_to_boot

# What pip and TLS are told by variables goes in unchanged.
settings >"$work/settings"
mkdir -p "$work/memory"
echo $$ >"$work/parent"
ROOT=$root WORK=$work DEVICE=${READ_ONLY:-} \
    exec unshare --mount --pid --uts --ipc --cgroup ${OWN_NETWORK:+--net} --fork --kill-child --propagation private sh -euc '
    if [ -n "$DEVICE" ]; then
        mount -t tmpfs tmpfs "$WORK/memory" && mkdir "$WORK/memory/upper" "$WORK/memory/work"
        layers=lowerdir=$ROOT,upperdir=$WORK/memory/upper,workdir=$WORK/memory/work
        mount -t overlay -o "$layers" overlayroot "$ROOT"
        mount "$DEVICE" "$ROOT/var/lib/companion"
    else
        mount --bind "$ROOT" "$ROOT"
    fi
    mount -t proc proc "$ROOT/proc"
    mount -t sysfs -o ro sysfs "$ROOT/sys"
    mount -t cgroup2 cgroup2 "$ROOT/sys/fs/cgroup"
    mount -t tmpfs -o mode=755 tmpfs "$ROOT/dev"
    for device in null zero full random urandom tty; do
        touch "$ROOT/dev/$device" && mount --bind "/dev/$device" "$ROOT/dev/$device"
    done
    mkdir -p "$ROOT/dev/pts" "$ROOT/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$ROOT/dev/pts"
    ln -s pts/ptmx "$ROOT/dev/ptmx"
    mount -t tmpfs -o mode=1777 tmpfs "$ROOT/dev/shm"
    mount -t tmpfs -o mode=755 tmpfs "$ROOT/run"
    while read -r path; do mount --bind -o ro "$path" "$ROOT$path"; done <"$WORK/binds"
    hostname box
    # In a chroot the kernel makes no user namespaces, which PrivateUsers needs. Below the new root lies the old one.
    cd "$ROOT"
    pivot_root . .
    umount --lazy .
    # On a machine systemd does this itself: a service sees what is mounted after it has started.
    mount --make-rshared /
    exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
        /lib/systemd/systemd --log-target=journal --show-status=no'
