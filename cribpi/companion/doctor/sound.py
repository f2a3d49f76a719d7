"""Checks of the voice: its programs, and whether there is a loudspeaker that it may use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cribpi.companion.devices.voice import INSTALL, PLAYER, SPEAKER
from cribpi.companion.doctor.finding import Finding, Problem, Verdict, finding
from cribpi.companion.doctor.machine import Machine
from cribpi.companion.installed import again
from cribpi.companion.kit import Kit
from cribpi.companion.run.config import Sound

_UNIT: Final = "/etc/systemd/system/cribpi.service"
_DROP_INS: Final = f"{_UNIT}.d/*.conf"
_ALLOWED: Final = "DeviceAllow=char-alsa"


def check_voice(machine: Machine, kit: Kit, sound: Sound) -> Iterator[Finding]:
    """Yield what is found, where the settings or the kit name a loudspeaker, or the voice is on."""
    if sound.loudspeaker(kit.loudspeaker) is not None:
        yield finding("voice", _check_programs(machine, sound))
        yield finding("loudspeaker", _check_loudspeaker(machine))


def _check_programs(machine: Machine, sound: Sound) -> Verdict:
    missing = [one for one in (SPEAKER, PLAYER) if not machine.matching(f"/usr/*bin/{one}")]
    if missing:
        return Problem(f"{' and '.join(missing)} not installed", INSTALL)
    return f"{SPEAKER} and {PLAYER}; {'on' if sound.voice else 'off: voice = true under [sound] turns it on'}"


def _check_loudspeaker(machine: Machine) -> Verdict:
    devices = machine.matching("/dev/snd/pcmC*p")
    if not devices:
        return Problem(
            "no sound card for playback", "plug the loudspeaker in; `aplay -l` lists what is there"
        )
    if machine.exists(_UNIT):  # which has leave of its own, whatever its user may do
        if not any(_ALLOWED in (machine.text(path) or "") for path in machine.matching(_DROP_INS)):
            return Problem("the service may not open the sound devices", again(machine.root))
    elif not any(map(machine.may_use, devices)):
        mend = f"sudo usermod -aG audio {machine.user}, then log in again"
        return Problem(f"{devices[0]} may not be opened", mend)
    return ", ".join(devices)
