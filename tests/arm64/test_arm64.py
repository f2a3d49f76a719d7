"""The extra `pi` where it is installed: the modules are the real ones, and have what the drivers call."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parent / "run"

# Each in a process of its own: one registers what it does at exit, another starts a thread when it is
# imported.
CALLED = {
    "rpi_ws281x": "from rpi_ws281x import PixelStrip; PixelStrip.begin, PixelStrip.setPixelColor, "
    "PixelStrip.show",
    "_rpi_ws281x": "import _rpi_ws281x as it; it.ws2811_init, it.ws2811_render, it.new_ws2811_t",
    "lgpio": "import lgpio; lgpio.gpiochip_open, lgpio.gpio_claim_alert, lgpio.callback",
    "gpiod": "import gpiod; gpiod.request_lines, gpiod.is_gpiochip_device",
    "adafruit_extended_bus": "from adafruit_extended_bus import ExtendedI2C; ExtendedI2C.writeto",
}


@pytest.mark.parametrize("module", CALLED)
def test_a_module_of_the_extra_pi_has_what_is_called_of_it(module: str, tmp_path: Path) -> None:
    tried = subprocess.run(
        [sys.executable, "-c", CALLED[module]],
        cwd=tmp_path,  # lgpio makes a file where it is imported
        capture_output=True,
        text=True,
        check=False,
    )
    if f"No module named '{module}'" in tried.stderr:
        pytest.skip(f"there is no {module}: install cribpi with its pi extra; `make arm64` does")
    assert (tried.returncode, tried.stderr) == (0, "")


def test_a_run_without_its_folder_is_refused_in_a_sentence() -> None:
    refused = subprocess.run([str(RUN), "--folder"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert refused.stderr == "tests/arm64/run: --folder wants a folder\n"
