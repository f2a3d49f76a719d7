#!/bin/sh
# cribpi @VERSION@ with all that it needs, for a Pi without a network: Python @PYTHONS@ on @MACHINE@.
#
#   sudo sh @NAME@            install or upgrade; --help lists the other options
#   sudo sh @NAME@ --uninstall
#
# Behind these lines is a tar file, and behind that who has signed all of it: `cribpi update` looks at that.
# about: @ABOUT@
set -eu

refuse() { echo "install: $*" >&2; exit 2; }
payload() { tail -c +@BEGINS@ "$0" | head -c @BYTES@; }

main() {
    python=${PYTHON:-/usr/bin/python3}
    [ "$(payload | sha256sum | cut -d ' ' -f 1)" = @SUM@ ] ||
        refuse "$0 is damaged or incomplete; copy it again"
    here=$("$python" -c 'import sys, sysconfig as s; print(s.get_config_var("MULTIARCH"), "%d.%d" % sys.version_info[:2])') ||
        refuse "this system has no Python; it comes with Raspberry Pi OS"
    case "$here" in
    @TRIPLET@\ *) ;;
    *) refuse "this bundle is for @MACHINE@, and this system is for ${here%% *}; a Pi needs the 64-bit Raspberry Pi OS" ;;
    esac
    case " @PYTHONS@ " in
    *" ${here#* } "*) ;;
    *) refuse "this bundle is for Python @PYTHONS@, and this system has ${here#* }; see docs/how-to/install.md" ;;
    esac
    # Not in /tmp, which is in memory on some systems.
    folder=$(mktemp -d "${TMPDIR:-/var/tmp}/cribpi-XXXXXX")
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 130' INT TERM HUP
    # The installer reads settings and kits as the program does, and finds it beside itself.
    { payload | tar -x -C "$folder" --no-same-owner && "$python" -m zipfile -e "$folder"/wheels/cribpi-*.whl "$folder"; } ||
        refuse "it can't be unpacked in $folder; make room there, then try again"
    status=0
    "$python" "$folder/systemd/install.py" "$@" || status=$?
    exit "$status"
}

main "$@"
exit
