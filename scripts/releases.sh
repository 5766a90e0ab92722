# shellcheck shell=sh disable=SC2154 # install.sh sets here, wheels and dry
# Versions beside each other in /opt/companion, and the change from one to another; read by install.sh.
#
#     releases/0.3.0-1a2b3c4d/   an environment of Python with that version; `complete` is its last file
#     current, previous          links to the version in use and to the one before it
#
# What is done to the games: with the service stopped they are copied to /var/lib/companion.before, the new version
# is tried on another copy, and only when it started, drew and opened the last game there it becomes `current`.
# No copy holds closed envelopes: it would tell what was in them long after they were opened.
# A new version brings the games up to date when it starts for people; going back puts the copy in their place.

opt=/opt/companion
state=/var/lib/companion

# Whether systemd runs this system. It doesn't in a chroot, where the image of a memory card is made: there everything
# is put in its place, and starts with the machine.
is_booted() {
    case ${SYSTEMD_OFFLINE:-} in 1 | y | yes | t | true | on) return 1 ;; esac
    [ -d /run/systemd/system ] && ! systemd-detect-virt --quiet --chroot
}

# What a version is made of, and nothing that lies beside it by chance.
sources() {
    (cd "$here" && find pyproject.toml README.md LICENSE NOTICE companion hardware ui scripts systemd \
        -name __pycache__ -prune -o -type f ! -name '*.pyc' ! -name '*.mo' -print | LC_ALL=C sort)
}

release_name() {
    version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/pyproject.toml")
    echo "$version-$(cd "$here" && sources | xargs -d '\n' sha256sum | sha256sum | cut -c1-8)"
}

# Python's packages into the version that is being made.
into() {
    "$new/bin/python" -m pip --disable-pip-version-check --no-input install --quiet --no-cache-dir \
        --root-user-action ignore ${wheels:+--no-index --find-links "$wheels"} "$@"
}

# An environment can't be moved, so it is made in its place; without its last file it doesn't count.
make_release() {
    new=$opt/releases/$1
    [ ! -e "$new/complete" ] || return 0
    rm -rf "$new"
    site=
    if uses_debians_drivers; then site=--system-site-packages; fi
    # shellcheck disable=SC2086 # no option is no word
    "$(usable_python)" -m venv $site "$new"
    mkdir "$new/source"
    (cd "$here" && sources | tar -cf - -T -) | tar -C "$new/source" --no-same-owner -xf -
    into setuptools
    into "$new/source"
    into --no-deps mfrc522==0.0.7
    if uses_debians_drivers; then
        into "$new/source[rfid]" || say "the package spidev is missing for this Python: wired readers won't work, but everything else will"
    fi
    mkdir "$new/appliance"
    mv "$new/source/scripts" "$new/source/systemd" "$new/source/pyproject.toml" "$new/appliance/"
    rm -r "$new/source"
    sync -f "$new"
    touch "$new/complete"
    sync -f "$new"
}

as_companion() {
    runuser -u companion -- env -i PATH=/usr/bin:/bin HOME=/ LANG=C.UTF-8 MESA_SHADER_CACHE_DISABLE=true \
        COMPANION_CONFIG=/etc/companion "$@"
}

point() { ln -sfn "$2" "$opt/$1.new" && mv -T "$opt/$1.new" "$opt/$1" && sync -f "$opt"; }

install_units() {
    for unit in companion.service companion-web.service companion-web.socket companion-probes.socket \
        companion-dhcp.service companion-backup.service companion-backup.timer; do
        if [ -e "$1/appliance/systemd/$unit" ]; then
            put "$1/appliance/systemd/$unit" "/etc/systemd/system/$unit"
        else # an older version has fewer
            take_away "/etc/systemd/system/$unit"
        fi
    done
    [ -e /usr/local/bin/companion ] || ln -sfn "$opt/current/bin/companion" /usr/local/bin/companion
    ! is_booted || systemctl daemon-reload
}

# A copy is under its name only when it is whole and on the disk.
copy_games() {
    rm -rf "$2" "$2.part"
    [ -d "$1" ] || return 0
    mkdir -m 700 "$2.part" && chown --reference="$1" "$2.part" &&
        find "$1" -mindepth 1 -maxdepth 1 ! -name sealed ! -name '.backup-*' -exec cp -a -t "$2.part" {} + &&
        rm -rf "$2.part"/before-restore-*/sealed && sync -f "$2.part" && mv "$2.part" "$2"
}

# Two directories take each other's place at one stroke.
exchange() {
    python3 -c 'import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
here, both, exchange = -100, [os.fsencode(path) for path in sys.argv[1:]], 2
sys.exit(libc.renameat2(here, both[0], here, both[1], exchange) and os.strerror(ctypes.get_errno()))' "$1" "$2"
}

# Starts, draws home, opens the last game and draws that, all with a copy.
is_well() {
    copy_games "$state" "$state.tried"
    [ -d "$state.tried" ] || install -d -o companion -g companion -m 700 "$state.tried"
    status=0
    as_companion SDL_VIDEODRIVER=offscreen timeout 120 "$1/bin/companion" health --state "$state.tried" || status=$?
    rm -rf "$state.tried"
    return "$status"
}

stop() { ! is_booted || systemctl stop companion.service 2>/dev/null || true; }

start() {
    is_booted || return 0
    systemctl start companion.service && return
    say "version $(readlink "$opt/current") doesn't start. Its last messages:"
    journalctl --no-pager --quiet --unit companion --lines 20 --output cat || true
    return 1
}

# Versions that are neither in use nor the one before.
throw_away() {
    for other in "$opt"/releases/*; do
        case $other in
        "$opt/$(readlink "$opt/current")" | "$opt/$(readlink "$opt/previous" 2>/dev/null)") ;;
        *) rm -rf "$other" ;;
        esac
    done
}

change_over() {
    new=releases/$1
    old=$(readlink "$opt/current" 2>/dev/null || true)
    stop
    copy_games "$state" "$state.before"
    if ! is_well "$opt/$new"; then
        say "version $1 failed its test (see above); nothing was changed"
        [ -z "$old" ] || start || true
        exit 1
    fi
    [ -z "$old" ] || point previous "$old"
    point current "$new"
    install_units "$opt/current"
    if ! start; then
        [ -z "$old" ] || go_back
        exit 1
    fi
    throw_away
}

# The version before, with the games as they are; where it can't read those any more, as they were before the update.
go_back() {
    old=$(readlink "$opt/previous" 2>/dev/null) || { say "there is no previous version"; return 1; }
    now=$(readlink "$opt/current")
    say "going back to ${old##*/}"
    stop
    if ! as_companion "$opt/$old/bin/companion" history list --state "$state" >/dev/null && [ -d "$state.before" ]; then
        copy_games "$state.before" "$state.older"
        exchange "$state.older" "$state"
        rm -rf "$state.older/sealed"
        aside=$state.newer-$(date +%Y%m%d-%H%M%S)
        mv "$state.older" "$aside"
        say "this version can't read the newer games: the games from before the update are back, and the newer games are in $aside"
    fi
    point current "$old"
    point previous "$now"
    install_units "$opt/current"
    start
}
