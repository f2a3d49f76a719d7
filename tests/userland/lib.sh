# What every run in a Debian root of its own needs; sourced by the `run` of tests/arm64, bundle, fresh and pi.
# A script sets CERTIFICATES and NAME (how it is called in its refusals) by sourcing this with its name.
NAME=$1
CERTIFICATES=/etc/ssl/certs/ca-certificates.crt

refuse() { echo "$NAME: $*" >&2; exit 2; }

refuse_unless_linux_root() {
    [ "$(uname -s)" = Linux ] || refuse "this needs Linux"
    [ "$(id -u)" -eq 0 ] || refuse "a Debian root is made and entered by root; run it with sudo"
}

# Start the script again in namespaces of its own: whatever it mounts and starts ends with it, even if it is killed.
enter_namespaces() { # THE SCRIPT AND ITS ARGUMENTS
    [ -z "${CRIBPI_USERLAND_INSIDE:-}" ] || return 0
    exec env CRIBPI_USERLAND_INSIDE=yes unshare --mount --pid --fork --kill-child --propagation private "$@"
}

need() { # PROGRAM PACKAGE
    command -v "$1" >/dev/null || missing+=("$2")
}

install_missing() {
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || refuse "install ${missing[*]} first"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Debian's archive: MIRROR, or else the one that this machine's apt uses.
debian_mirror() {
    local mirror=${MIRROR:-}
    [ -n "$mirror" ] || mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
        'Origin: Debian' 'Label: Debian' 2>/dev/null | head -n 1)
    [ -n "$mirror" ] || refuse "apt has no Debian archive on this machine; name one: MIRROR=http://..."
    echo "$mirror"
}

# Let this machine run arm64 programs; needs qemu-user-static and binfmt-support, and this namespace's own /proc.
emulate_arm64() {
    local handlers=/proc/sys/fs/binfmt_misc
    [ -e $handlers/register ] || mount -t binfmt_misc binfmt_misc $handlers ||
        refuse "this kernel has no binfmt_misc, by which it would run arm64 programs; load the module binfmt_misc"
    # Debian's handler holds its interpreter open: the userland needs no copy of it.
    [ -e $handlers/qemu-aarch64 ] || update-binfmts --import qemu-aarch64 || true
    [ -e $handlers/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64 || true
    [ -e $handlers/qemu-aarch64 ] ||
        refuse "arm64 programs have no handler; try: sudo update-binfmts --enable qemu-aarch64"
}

# A Debian root in FOLDER/root, for x86_64 or aarch64, which may be another machine than this one; made once.
debian_root() { # FOLDER SUITE MACHINE PACKAGES
    local folder=$1 root=$1/root mirror foreign=()
    # So that an installation broken off half way is not taken for a whole one.
    [ ! -e "$folder/made" ] || return 0
    mirror=$(debian_mirror)
    echo "== a Debian $2 userland for $3 (once; ten minutes where it is emulated)"
    [ "$3" = "$(uname -m)" ] || foreign=(--foreign --arch=arm64)
    rm -rf --one-file-system "$root"
    mkdir -p "$folder"
    debootstrap "${foreign[@]}" --variant=minbase --include="$4" "$2" "$root" "$mirror" \
        >"$folder/debootstrap.log" 2>&1 || refuse "debootstrap failed; its words are in $folder/debootstrap.log"
    if [ ${#foreign[@]} -ne 0 ]; then
        list_only_fetched "$root"
        chroot "$root" /debootstrap/debootstrap --second-stage >>"$folder/debootstrap.log" 2>&1 ||
            refuse "debootstrap failed; its words are in $folder/debootstrap.log"
        rm -rf "$root"/var/lib/apt/lists/* # apt would take the short list for the whole one
    fi
    touch "$folder/made"
}

# Its second stage reads the list of packages a dozen times, by a Perl that may be emulated: two minutes each for all
# 68,000 of Debian's, nothing for those that were fetched.
list_only_fetched() { # ROOT
    local list
    for list in "$1"/var/lib/apt/lists/*_Packages; do
        FETCHED=$(basename -a "$1"/var/cache/apt/archives/*.deb | cut -d _ -f 1) awk '
            BEGIN { RS = ""; ORS = "\n\n"; split(ENVIRON["FETCHED"], names); for (n in names) fetched[names[n]] }
            $2 in fetched' "$list" >"$list.short"
        mv "$list.short" "$list"
    done
}

mount_userland() { # ROOT
    mount -t proc proc "$1/proc"
    mount -t tmpfs tmpfs "$1/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
}

# The machine's way to the network and to its packages, as it is now: into ROOT, and into the array pip_settings.
# PYTHON's pip knows the settings.  A folder of this machine is not there, so its address is left out.
lend_network() { # ROOT
    cp --remove-destination -L /etc/resolv.conf /etc/hosts "$1/etc/"
    pip_settings=()
    local name value
    for name in index-url extra-index-url proxy trusted-host timeout default-timeout; do
        value=$(pip_setting "$name")
        case $value in
        '' | *file:*) ;;
        *) pip_settings+=("PIP_$(tr 'a-z-' 'A-Z_' <<<"$name")=$value") ;;
        esac
    done
    if [ -n "$(pip_setting cert)" ]; then
        cp --remove-destination -L "$(pip_setting cert)" "$1$CERTIFICATES"
        pip_settings+=("PIP_CERT=$CERTIFICATES")
    fi
    for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
        [ -z "${!name:-}" ] || pip_settings+=("$name=${!name}")
    done
}

pip_setting() { # NAME
    # Not `pip config get`: that reads the user's file alone, and a setting may stand in any file or variable.
    local settings found
    settings=$("$PYTHON" -m pip config list 2>/dev/null) || return 0
    found=$(for place in :env: global; do sed -n "s/^$place\.$1='\(.*\)'\$/\1/p" <<<"$settings"; done)
    printf '%s' "${found%%$'\n'*}"
}
