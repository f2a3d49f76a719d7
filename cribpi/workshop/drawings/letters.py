"""How wide a text is, by the advance widths of Helvetica.

Arial and Liberation Sans have the same widths, so a text is as wide on the screen as on paper.
"""

from __future__ import annotations

from typing import Final

CAP: Final = 0.72
"""Height of a capital over the base line, as a share of the size."""

DESCENT: Final = 0.21
"""Depth of a g below the base line, as a share of the size."""

# In thousandths of the size, from the space to the tilde, as in Adobe's metrics of the PDF base fonts.
_PLAIN: Final = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)
_BOLD: Final = (
    *(278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611),
    *(975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556),
    *(333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611),
    *(611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584),
)
_OTHER: Final = 620  # about an accented letter: only a kit's title can have any


def text_width(text: str, size: float, *, is_bold: bool = False) -> float:
    """Return how wide *text* is in letters of *size*, in the unit of *size*.

    >>> text_width("GPIO 10", 3)
    11.673
    """
    widths = _BOLD if is_bold else _PLAIN
    units = sum(widths[ord(sign) - 32] if " " <= sign <= "~" else _OTHER for sign in text)
    return round(units * size / 1000, 3)


def wrap(text: str, width: float, size: float, *, is_bold: bool = False) -> tuple[str, ...]:
    """Return *text* in lines no wider than *width*, broken at spaces; a longer word has its own line.

    >>> wrap("measure this bar before drilling", 30, 3)
    ('measure this bar', 'before drilling')
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, is_bold=is_bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)
