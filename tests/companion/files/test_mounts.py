"""Which file systems forget what is written to them, by what the kernel says is mounted."""

from __future__ import annotations

from pathlib import Path

import pytest

from cribpi.companion.files.mounts import forgetting

CARD = "28 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw"
RUN = "30 28 0:26 / /run rw,nosuid shared:5 - tmpfs tmpfs rw,size=187840k"
HOME_IN_MEMORY = r"31 28 0:27 / /home/two\040words rw - ramfs ramfs rw"
CHANGES_IN_MEMORY = "29 1 0:31 / /media/root-rw rw,relatime - tmpfs tmpfs-root rw"
CHANGES_ON_A_STICK = "29 1 8:1 / /media/root-rw rw,relatime - ext4 /dev/sda1 rw"
OVERLAY = (
    "28 1 0:40 / / rw,relatime shared:1 - overlay overlayroot "
    "rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay,workdir=/media/root-rw/overlay-workdir/_"
)
OVERLAY_OF_THE_START = "28 1 0:40 / / rw - overlay overlay rw,lowerdir=/lower,upperdir=/upper/data,workdir=/w"
CHANGES_IN_AN_OVERLAY = (
    "29 1 0:41 / /media/root-rw rw - overlay overlay rw,lowerdir=/l,upperdir=/u,workdir=/w"
)
USB_STICK = "50 28 8:1 / /mnt/stick rw - vfat /dev/sda1 rw"

MACHINES = [
    # what is mounted, the folder, and what forgets there
    ([CARD, RUN], "/var/lib/cribpi", None),
    ([CARD, RUN], "/run/user/1000/cribpi", "tmpfs"),
    ([CARD, RUN], "/running", None),
    ([CARD, HOME_IN_MEMORY], "/home/two words/.local/state/cribpi", "ramfs"),
    ([OVERLAY, CHANGES_IN_MEMORY], "/var/lib/cribpi", "overlay"),
    ([OVERLAY, CHANGES_IN_AN_OVERLAY], "/var/lib/cribpi", "overlay"),
    ([OVERLAY, CHANGES_ON_A_STICK], "/var/lib/cribpi", None),
    ([OVERLAY_OF_THE_START], "/var/lib/cribpi", "overlay"),
    ([OVERLAY_OF_THE_START, USB_STICK], "/mnt/stick/cribpi", None),
    ([CARD, RUN, "60 30 179:2 /kept /run rw - ext4 /dev/mmcblk0p2 rw"], "/run/cribpi", None),
    ([], "/var/lib/cribpi", None),
    (
        ["what nobody", "can - read", "30 28 0:26 / - tmpfs tmpfs rw", "30 28 0:26 / / rw - tmpfs"],
        "/var/lib/cribpi",
        None,
    ),
]


@pytest.mark.parametrize(("mounts", "folder", "kind"), MACHINES)
def test_what_forgets_is_found_by_what_is_mounted(mounts: list[str], folder: str, kind: str | None) -> None:
    assert forgetting(Path(folder), "\n".join(mounts)) == kind


def test_the_kernels_own_list_can_be_read() -> None:
    mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8")
    kinds = {line.split()[4]: line.partition(" - ")[2].split()[0] for line in mounts.splitlines()}
    for place, kind in kinds.items():
        if kind in {"tmpfs", "ramfs"} and "\\" not in place and not Path(place).is_symlink():
            assert forgetting(Path(place), mounts) == kind
    assert forgetting(Path("/proc"), mounts) is None
