# shellcheck shell=sh disable=SC2154 # whoever reads it sets me, suite, packages, checkout, work, root and bare
# Bare Debian roots with a clone of this project in /srv/companion; read by fresh.sh and boot.sh.
# Mirror, package index, proxies and certificates are those of this machine's apt and pip.

say() { echo "$me $suite: $*"; }

# Exit status where this machine can't make a root: nothing was tried then, so nothing has failed.
no_root=75
cannot() { say "no root can be made here: $*" && exit "$no_root"; }

mirror() {
    # shellcheck disable=SC2016 # apt fills them in
    apt-get indextargets --format '$(LABEL) $(SITE)' 'Created-By: Packages' |
        awk '$1 == "Debian" { print $2; exit }'
}

# Proxies and certificates of this machine's apt are the root's too.
bare_root() {
    command -v apt-get >/dev/null || cannot "this is no Debian"
    unshare --mount --pid --fork mount -t proc proc /proc 2>/dev/null || cannot "namespaces are not allowed"
    apt-get update --quiet=2 || say "apt's lists may be old"
    command -v mmdebstrap >/dev/null ||
        apt-get install --quiet=2 --yes --no-install-recommends mmdebstrap ||
        cannot "mmdebstrap can't be installed"
    site=$(mirror)
    [ -n "$site" ] || cannot "apt names no mirror of Debian"
    PATH="$PATH:/usr/lib/apt" apt-helper -o APT::Sandbox::User=root download-file \
        "$site/dists/$suite/InRelease" "$work/InRelease" >/dev/null || cannot "the mirror $site doesn't answer"
    apt-config dump | grep -E '^Acquire::(http|https)::' >"$work/acquire" || true
    say "making the bare root"
    mmdebstrap --quiet --format=tar --variant=minbase --include="$packages" \
        --aptopt="$work/acquire" "$suite" "$bare.part" "$site"
    mv "$bare.part" "$bare"
}

# What pip and TLS are told by variables goes in unchanged.
settings() {
    env -0 | grep -zE '^(PIP_|SSL_CERT_|REQUESTS_CA_|CURL_CA_|(https?|no|all|HTTPS?|NO|ALL)_(proxy|PROXY)=)' || true
}

pip_configuration() {
    python3 -m pip config list 2>/dev/null | grep -v '^:env:' | python3 -c '
import ast, configparser, sys
settings = configparser.RawConfigParser()
for line in sys.stdin:
    name, _, value = line.strip().partition("=")
    section, _, key = name.partition(".")
    settings.read_dict({section: {key: " ".join(ast.literal_eval(value).split())}})
settings.write(sys.stdout)'
}

# Files and directories named there appear at the same place in the root. The packages of an
# index on this machine lie beside its list, so the directory that holds both is taken.
named_paths() {
    { settings | tr '\0' '\n'; pip_configuration; } | grep -oE '(file://)?/[^ :]*' |
        while read -r path; do
            case $path in file://*) path=$(dirname "${path#file://}") ;; esac
            case $path in / | //*) ;; *) [ ! -e "$path" ] || echo "$path" ;; esac
        done | sort -u
}

furnish() {
    tar --extract --file "$bare" --directory "$root"
    cp --dereference /etc/resolv.conf "$root/etc/resolv.conf"
    pip_configuration >"$root/etc/pip.conf"
    named_paths | while read -r path; do
        if [ -f "$path" ]; then
            mkdir -p "$root$(dirname "$path")" && cp --dereference "$path" "$root$path"
        else
            mkdir -p "$root$path" && echo "$path"
        fi
    done >"$work/binds"
    mkdir -p "$root/srv"
    if [ -e "$checkout/.git" ]; then
        # Root may clone what belongs to somebody else.
        printf '[safe]\n\tdirectory = *\n' >"$work/gitconfig"
        GIT_CONFIG_GLOBAL="$work/gitconfig" git clone --quiet --no-hardlinks "$checkout" "$root/srv/companion"
    else
        say "this is no clone: all its files are copied"
        mkdir "$root/srv/companion"
        tar -C "$checkout" --exclude=./.venv --exclude=./out --exclude=./build -cf - . |
            tar -C "$root/srv/companion" --no-same-owner -xf -
    fi
}
