#!/bin/sh
# Installs the Companion as a service that starts with the machine, on its panel, and survives a power cut.
#
#     sudo scripts/install.sh               install or update (a second run changes nothing)
#     sudo scripts/install.sh --dry-run     only print the steps, without doing them
#     sudo scripts/install.sh --rollback    go back to the previous version
#     sudo scripts/install.sh --uninstall   remove everything except the games
#     scripts/install.sh --desktop          start in a window on this user's desktop (also with --uninstall)
#
# --overlay NAME adds a panel's dtoverlay to config.txt. --wheels DIR takes Python packages from DIR, offline.
# In a chroot (when you make the image of a memory card) nothing is started: the Companion starts when the
# machine starts.
#
# Each version has its own environment. `current` is a link to the version in use and is changed in one
# step, so that a power cut at any moment leaves the old version or the new one, never half.
set -eu
umask 022 # the service's user runs what root writes here
here=$(cd "$(dirname "$0")/.." && pwd)
me=install
. "$here/scripts/packages.sh"
. "$here/scripts/releases.sh"

dry='' action=install desktop='' overlay='' wheels=''
while [ $# -gt 0 ]; do
    case $1 in
    --dry-run) dry=1 ;;
    --rollback) action=rollback ;;
    --uninstall) action=uninstall ;;
    --desktop) desktop=1 ;;
    --overlay) overlay=${2:?--overlay needs the name of a panel\'s overlay} && shift ;;
    --wheels) wheels=$(cd "${2:?--wheels needs a directory}" && pwd) && shift ;;
    *) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" && exit 2 ;;
    esac
    shift
done

# Says a step and does it; in a dry run it is only said.
step() {
    say "${dry:+would }$1"
    shift
    [ -n "$dry" ] || "$@"
}

# A file as root has it, unless it is there already just so.
put() {
    cmp -s "$1" "$2" || step "write $2" install -D -m "${3:-644}" "$1" "$2"
}

take_away() {
    for path in "$@"; do
        [ ! -e "$path" ] && [ ! -L "$path" ] || step "remove $path" rm -rf --one-file-system "$path"
    done
}

missing_groups() {
    awk '$1 == "g" || $1 == "u" { print $2 }' "$here/systemd/companion.sysusers.conf" | while read -r group; do
        getent group "$group" >/dev/null || echo "$group"
    done
}

make_user() {
    put "$here/systemd/companion.sysusers.conf" /etc/sysusers.d/companion.conf
    missing=$(missing_groups | xargs)
    [ -n "$missing" ] || return 0
    [ -n "$dry" ] || echo "$missing" >>"$opt/groups-made"
    step "make the user companion and the groups: $missing" systemd-sysusers /etc/sysusers.d/companion.conf
}

# SPI for card readers, and the panel's overlay if one is named, between two marks of ours.
boot_lines() {
    grep -qs '^dtparam=spi=on' "$1" || echo dtparam=spi=on
    [ -z "$overlay" ] || echo "dtoverlay=$overlay"
}

# All before our mark stays as it is.
mark_boot_config() {
    [ -e "$1.before-companion" ] || cp -p "$1" "$1.before-companion"
    { sed '/^# companion begin/,/^# companion end/d' "$1" && echo "# companion begin" && echo "[all]" &&
        echo "$2" && echo "# companion end"; } >"$1.new"
    sync "$1.new" && mv "$1.new" "$1"
}

unmark_boot_config() {
    sed '/^# companion begin/,/^# companion end/d' "$1" >"$1.new" && sync "$1.new" && mv "$1.new" "$1"
    rm -f "$1.before-companion"
}

set_up_boot() {
    config=/boot/firmware/config.txt
    [ -e "$config" ] || return 0
    lines=$(boot_lines "$config")
    { [ -z "$lines" ] || { [ -z "$overlay" ] && grep -q '^# companion begin' "$config"; }; } && return 0
    step "add to $config: $(echo "$lines" | xargs); it takes effect after the next restart" \
        mark_boot_config "$config" "$lines"
}

# They come after the groups that they name. Pins, SPI devices and backlights that are there already change hands
# at once; the rule for backlights is for devices that are added, because each change of brightness is a change too.
rules() {
    put "$here/systemd/60-companion.rules" /etc/udev/rules.d/60-companion.rules
    put "$here/systemd/50-companion.rules" /etc/polkit-1/rules.d/50-companion.rules
    put "$here/systemd/51-companion-web.rules" /etc/polkit-1/rules.d/51-companion-web.rules
    [ -z "$dry" ] && is_booted || return 0
    udevadm control --reload && udevadm trigger --action=add --subsystem-match=backlight || true
    udevadm trigger --subsystem-match=gpio --subsystem-match=spidev || true
}

config_directory() {
    [ -d /etc/companion ] ||
        step "make /etc/companion for the wiring" install -d -o companion -g companion -m 755 /etc/companion
}

# Root, and nobody else at the same time.
root_only() {
    [ "$(id -u)" = 0 ] || { say "this changes the system; run it with sudo: sudo $0"; exit 1; }
    exec 9>/run/companion-install.lock
    flock --nonblock 9 || { say "another installation is running"; exit 1; }
}

# A bare root has not even the programs that make users and start services. Phones in the hotspot need dnsmasq.
missing_for_service() {
    missing_packages
    command -v systemctl >/dev/null && command -v systemd-sysusers >/dev/null || echo systemd
    command -v dnsmasq >/dev/null || echo dnsmasq-base
}

install_all() {
    missing=$(missing_for_service | xargs)
    # shellcheck disable=SC2086 # names are words
    [ -z "$missing" ] || step "install Debian's packages: $missing" install_packages $missing
    [ -d "$opt" ] || step "make $opt" mkdir -p "$opt/releases"
    make_user
    config_directory
    rules
    set_up_boot
    [ -n "$dry" ] || unpack_tweetnacl "$here"
    name=$(release_name)
    if [ "$(readlink "$opt/current" 2>/dev/null)" = "releases/$name" ] && [ -e "$opt/current/complete" ]; then
        say "version $name is already installed"
        [ -n "$dry" ] || install_units "$opt/current"
    else
        step "build version $name" make_release "$name"
        step "test this version with a copy of the games, then switch to it" change_over "$name"
    fi
    step "start the Companion whenever the machine starts" systemctl --quiet enable companion.service companion-backup.timer companion-dhcp.service
    if is_booted; then
        step "start the Companion now" systemctl start companion.service companion-backup.timer
    else
        step "wait for the next start of the machine, because systemd isn't running here" true
    fi
    [ -n "$dry" ] || say "done; this version takes $(du -sh "$opt/current/" | cut -f1). To read the Companion's messages: journalctl -u companion"
}

uninstall_all() {
    now=
    ! is_booted || now=--now
    if [ -e /etc/systemd/system/companion.service ]; then
        # shellcheck disable=SC2086 # no option is no word
        step "stop the Companion" systemctl --quiet disable $now companion.service companion-backup.timer companion-dhcp.service
        [ -z "$now" ] || systemctl --quiet stop companion-web.service companion-web.socket || true
    fi
    take_away /etc/systemd/system/companion.service /etc/systemd/system/companion-backup.service \
        /etc/systemd/system/companion-web.service /etc/systemd/system/companion-web.socket \
        /etc/systemd/system/companion-probes.socket \
        /etc/systemd/system/companion-backup.timer /etc/systemd/system/companion-dhcp.service \
        /etc/sysusers.d/companion.conf /etc/udev/rules.d/60-companion.rules \
        /etc/polkit-1/rules.d/50-companion.rules /etc/polkit-1/rules.d/51-companion-web.rules \
        /var/lib/systemd/timers/stamp-companion-backup.timer \
        /usr/local/bin/companion "$state.tried" "$state.before"
    [ -n "$dry" ] || ! is_booted || systemctl daemon-reload
    if grep -qs '^# companion begin' /boot/firmware/config.txt; then
        step "remove the Companion's lines from config.txt" unmark_boot_config /boot/firmware/config.txt
    fi
    for user in companion companion-web; do
        ! getent passwd "$user" >/dev/null || step "remove the user $user" userdel "$user"
    done
    xargs -n 1 <"$opt/groups-made" 2>/dev/null | while read -r group; do
        ! getent group "$group" >/dev/null || step "remove the group $group" groupdel "$group"
    done
    take_away "$opt" /run/companion-install.lock /run/companion-web
    rmdir /etc/companion 2>/dev/null || true
    say "the games stay in $state, and Debian's packages stay installed"
}

on_the_desktop() {
    [ "$(id -u)" != 0 ] || { say "--desktop is for one user; run it without sudo"; exit 1; }
    unit=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user/companion.service
    start=${XDG_CONFIG_HOME:-$HOME/.config}/autostart/companion.desktop
    if [ "$action" = uninstall ]; then
        systemctl --user stop companion.service 2>/dev/null || true
        take_away "$unit" "$start"
        return
    fi
    step "set up $here/.venv" "$here/scripts/setup"
    filled=$(mktemp)
    sed "s|@COMPANION@|$here|" "$here/systemd/companion-desktop.service" >"$filled"
    put "$filled" "$unit"
    put "$here/systemd/companion.desktop" "$start"
    rm "$filled"
    [ -n "$dry" ] || systemctl --user daemon-reload 2>/dev/null || true
    [ -n "$dry" ] || say "done: the Companion starts the next time you log in"
}

# Enabling a service works in a chroot, too, but only if systemctl knows that it is in one.
is_booted || export SYSTEMD_OFFLINE=1

if [ -n "$desktop" ]; then
    on_the_desktop
elif [ "$action" = install ]; then
    [ -n "$dry" ] || root_only
    install_all
elif [ "$action" = rollback ]; then
    root_only
    go_back
else
    [ -n "$dry" ] || root_only
    uninstall_all
fi
