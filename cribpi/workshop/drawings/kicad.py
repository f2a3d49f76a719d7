"""A kit's circuit as a KiCad project with a symbol library, for the design of a printed circuit board.

Pins are connected by labels of the same name, not by lines.
Formats: KiCad's "Schematic File Format" and "Symbol Library File Format", as KiCad 7 and later read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias
from uuid import NAMESPACE_URL, uuid5

from cribpi.companion.kit import Buttons, Keypad, Kit
from cribpi.workshop.drawings.circuit import (
    GLASS,
    GLASS_PINS,
    KEYS,
    PINS,
    SEVEN_PINS,
    SHIFTER,
    cells,
    feed_share,
    feeds,
    feeds_have_fuses,
    fuse,
    is_left,
    wires,
)

_GRID: Final = 2.54
"""Distance between pins in millimetres, KiCad's grid."""
_LENGTH: Final = 2.54
"""Length of a pin in millimetres."""
_SCHEMATIC: Final = "20230121"
"""Version of the schematic format."""
_LIBRARY: Final = "20220914"
"""Version of the library format."""

Type: TypeAlias = Literal["power_in", "power_out", "passive", "input", "tri_state", "bidirectional"]
"""Electrical type of a pin, for KiCad's electrical rules check."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin and its *net*, or None if it is not connected."""

    number: str
    name: str
    type: Type
    net: str | None


@dataclass(frozen=True, slots=True)
class SchematicPart:
    """A part of the circuit, drawn as a box with pins on the *left* and *right*, listed from the top."""

    reference: str
    value: str
    left: tuple[Pin, ...]
    right: tuple[Pin, ...] = ()
    width: int = 4
    """Width in grid steps; an even number."""
    footprint: str = ""
    """Footprint in KiCad's own libraries; "" for parts that are not on the board."""

    @property
    def is_flag(self) -> bool:
        """Whether this is not a part but a power flag, which marks a net as supplied."""
        return self.reference.startswith("#")

    @property
    def symbol(self) -> str:
        """Name of the symbol; all keys have the same symbol, and so have all diodes."""
        prefix = self.reference.rstrip("0123456789")
        return {"SW": "key", "D": "diode"}.get(prefix, self.reference.strip("#"))

    @property
    def rows(self) -> int:
        return max(len(self.left), len(self.right))

    def ends(self) -> Iterator[tuple[Pin, float, float]]:
        """Yield each pin with the x and y of its end in mm, from the part's middle and its first pin."""
        half = self.width * _GRID / 2 + _LENGTH
        for pins, x in ((self.left, -half), (self.right, half)):
            for row, pin in enumerate(pins):
                yield pin, x, row * _GRID


def circuit(kit: Kit) -> tuple[SchematicPart, ...]:
    """Return the parts of *kit*'s circuit; a net has the same name at each part."""
    return (*_header(kit), *_glass(kit), *_lights(kit), *_keys(kit))


_DIODE: Final = "Diode_THT:D_DO-35_SOD27_P7.62mm_Horizontal"
_MX: Final = "Button_Switch_Keyboard:SW_Cherry_MX_1.00u_PCB"
_BUTTON: Final = "Button_Switch_THT:SW_PUSH-12mm"
_HEADER: Final = "Connector_IDC:IDC-Header_2x20_P2.54mm_Vertical"
_CHIP: Final = "Package_DIP:DIP-14_W7.62mm_Socket"
_FUSE: Final = "Fuse:Fuseholder_Clip-5x20mm_Littelfuse_111_Inline_P20.00x5.00mm_D1.05mm_Horizontal"
_ELECTROLYTIC: Final = "Capacitor_THT:CP_Radial_D10.0mm_P5.00mm"
_CERAMIC: Final = "Capacitor_THT:C_Disc_D5.0mm_W2.5mm_P5.00mm"
_RESISTOR: Final = "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P10.16mm_Horizontal"


def _socket(pins: int) -> str:
    return f"Connector_PinSocket_2.54mm:PinSocket_1x{pins:02}_P2.54mm_Vertical"


def _screws(pins: int) -> str:
    block = f"TerminalBlock_Phoenix_MKDS-1,5-{pins}-5.08_1x{pins:02}_P5.08mm_Horizontal"
    return f"TerminalBlock_Phoenix:{block}"


def _two(
    reference: str, value: str, net_1: str, net_2: str, footprint: str, names: str = "12"
) -> SchematicPart:
    """Return a part with two passive pins, connected to *net_1* and *net_2*."""
    left, right = Pin("1", names[0], "passive", net_1), Pin("2", names[1], "passive", net_2)
    return SchematicPart(reference, value, (left,), (right,), footprint=footprint)


def _net(kit: Kit, pin: int) -> str | None:
    """Return the net of the header's *pin*, or None if it is not connected."""
    wire = next((wire for wire in wires(kit) if wire.pin == pin), None)
    if wire is None:
        return None
    if wire.signal == "5V":
        return "5V_PI"
    if wire.gpio is None:
        return wire.signal
    return f"{wire.device}_{wire.terminal}".upper().replace(" ", "_")


def _header(kit: Kit) -> Iterator[SchematicPart]:
    grounds = [pin for pin, name in PINS.items() if name == "GND" and _net(kit, pin)]

    def described(pin: int, name: str) -> Pin:
        kind: Type = "bidirectional"
        if name in {"3V3", "5V"} or pin in grounds[:1]:
            kind = "power_out"
        elif name == "GND":
            kind = "passive"
        return Pin(str(pin), name, kind, _net(kit, pin))

    columns: tuple[list[Pin], list[Pin]] = [], []
    for pin, name in PINS.items():
        columns[not is_left(pin)].append(described(pin, name))
    yield SchematicPart("J1", "Raspberry Pi header", tuple(columns[0]), tuple(columns[1]), 12, _HEADER)


def _glass(kit: Kit) -> Iterator[SchematicPart]:
    kinds: dict[str, Type] = {"VCC": "power_in", "GND": "power_in", "SDA": "bidirectional"}
    nets = {wire.terminal: _net(kit, wire.pin) for wire in wires(kit) if wire.device == GLASS}
    order = SEVEN_PINS if "RES" in nets else GLASS_PINS
    pins = (
        Pin(str(n), name, kinds.get(name, "input"), nets.get(name, "GND")) for n, name in enumerate(order, 1)
    )
    footprint = "" if kit.glass.bonnet else _socket(len(order))
    yield SchematicPart("J2", f"OLED {kit.glass.panel}", tuple(pins), width=8, footprint=footprint)


_SHIFTER_PINS: Final[tuple[tuple[str, Type, str | None], ...]] = (
    ("/1OE", "input", "GND"), ("1A", "input", "74AHCT125_1A"), ("1Y", "tri_state", "DATA_5V"),
    ("/2OE", "input", "GND"), ("2A", "input", "GND"), ("2Y", "tri_state", None), ("GND", "power_in", "GND"),
    ("3Y", "tri_state", None), ("3A", "input", "5V"), ("/3OE", "input", "5V"),
    ("4Y", "tri_state", None), ("4A", "input", "5V"), ("/4OE", "input", "5V"), ("VCC", "power_in", "5V"),
)  # fmt: skip


def _lights(kit: Kit) -> Iterator[SchematicPart]:
    """Yield the 5 V side: supply, fuse, level shifter or controller, and the strip's connectors."""
    is_wled = kit.strip.host is not None
    # A controller has no wire to the Pi, not even ground.
    source, ground = "5V_PI", "GND_SUPPLY" if is_wled else "GND"
    if kit.power.strip == "own":
        source = "5V_SUPPLY"
        minus = Pin("2", "GND", "power_out" if is_wled else "passive", ground)
        value = f"5 V supply, {kit.power.supply_ma} mA"
        yield SchematicPart(
            "J3", value, (Pin("1", "+5V", "power_out", source), minus), width=8, footprint=_screws(2)
        )
    yield _two("F1", f"{fuse(kit):g} A slow", source, "5V", _FUSE)
    # A fuse is passive, so KiCad needs a flag to know that the net after it is supplied.
    yield SchematicPart("#FLG1", "PWR_FLAG", (Pin("1", "pwr", "power_out", "5V"),))
    yield _two("C1", "1000 uF", "5V", ground, _ELECTROLYTIC, "+-")
    if is_wled:
        data = Pin("3", "DATA", "tri_state", "STRIP_DIN")
        power = Pin("1", "5V", "power_in", "5V"), Pin("2", "GND", "power_in", ground)
        yield SchematicPart("A1", "WLED controller", (*power, data), width=8, footprint=_screws(3))
    else:
        yield _two("C2", "100 nF", "5V", "GND", _CERAMIC)
        pins = [Pin(str(n), *pin) for n, pin in enumerate(_SHIFTER_PINS, 1)]
        yield SchematicPart("U1", SHIFTER, tuple(pins[:7]), tuple(reversed(pins[7:])), 8, _CHIP)
        yield _two("R1", "330 ohm", "DATA_5V", "STRIP_DIN", _RESISTOR)
    for n, led in enumerate(feeds(kit), 4):
        data_in = () if led else (Pin("3", "DIN", "input", "STRIP_DIN"),)
        fed = "5V"
        if feeds_have_fuses(kit):
            fed = f"5V_J{n}"
            yield _two(f"F{n}", f"{fuse(kit, feed_share(kit)):g} A slow", "5V", fed, _FUSE)
            yield SchematicPart(f"#FLG{n}", "PWR_FLAG", (Pin("1", "pwr", "power_out", fed),))
        pair = Pin("1", "5V", "power_in", fed), Pin("2", "GND", "power_in", ground)
        value = f"Strip at LED {led}" if led else "Start of the strip"
        yield SchematicPart(f"J{n}", value, (*pair, *data_in), width=8, footprint=_screws(2 + len(data_in)))


def _keys(kit: Kit) -> Iterator[SchematicPart]:
    match kit.keypad:
        case Keypad():
            nets = {wire.terminal: _net(kit, wire.pin) or "" for wire in wires(kit) if wire.device == KEYS}
            for n, (name, row, column) in enumerate(cells(kit.keypad), 1):
                key = f"KEY_{name}"
                yield _two(f"SW{n}", name, nets[f"column {column + 1}"], key, _MX)
                # Pin 1 is the cathode, as in KiCad's own symbols and footprints, and connects to the row.
                yield _two(f"D{n}", "1N4148", nets[f"row {row + 1}"], key, _DIODE, "KA")
        case Buttons():
            footprint = "" if kit.glass.bonnet else _BUTTON
            lines = (wire for wire in wires(kit) if wire.device == KEYS and wire.gpio is not None)
            for n, wire in enumerate(lines, 1):
                yield _two(f"SW{n}", wire.terminal, _net(kit, wire.pin) or "", "GND", footprint)


# --- the file -----------------------------------------------------------------------------------------

_LEFT: Final = 50.8
_TOP: Final = 38.1
_ACROSS: Final = 76.2
"""Distance between columns of parts in mm, which leaves space for labels on both sides."""
_BOTTOM: Final = 266.7

SExpression: TypeAlias = "str | float | Quoted | tuple[SExpression, ...]"
"""An S-expression: a word, a number, a quoted text, or a list of them."""


@dataclass(frozen=True, slots=True)
class Quoted:
    text: str


_FONT: Final = "effects", ("font", ("size", 1.27, 1.27))
_HIDDEN: Final = (*_FONT, "hide")
_NONE: Final = Quoted("")
NAME: Final = "circuit"
"""Name of the files and of the symbol library."""


def written(item: SExpression) -> str:
    r"""Return the text of an S-expression.

    >>> written(("at", 2.54, -0.1 - 0.2, Quoted('5 "V"')))
    '(at 2.54 -0.3 "5 \\"V\\"")'
    """
    match item:
        case Quoted(text):
            return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case tuple():
            return f"({' '.join(map(written, item))})"
        case float():
            return f"{round(item, 2):g}"
        case _:
            return str(item)


def kicad_files(kit: Kit) -> dict[str, str]:
    """Return the schematic of *kit*, its library and the project file, by file name.

    KiCad finds the library only in a project.  The same kit gives the same texts.
    """
    symbols = [_symbol(part, part.symbol) for part in _kinds(circuit(kit))]
    head: tuple[SExpression, ...] = "kicad_symbol_lib", ("version", _LIBRARY), ("generator", "cribpi")
    uri = ("uri", Quoted(f"${{KIPRJMOD}}/{NAME}.kicad_sym"))
    entry = ("name", Quoted(NAME)), ("type", Quoted("KiCad")), uri, ("options", _NONE), ("descr", _NONE)
    return {
        f"{NAME}.kicad_pro": "{}\n",
        f"{NAME}.kicad_sch": _schematic(kit),
        f"{NAME}.kicad_sym": written((*head, *symbols)) + "\n",
        "sym-lib-table": written(("sym_lib_table", ("version", 7), ("lib", *entry))) + "\n",
    }


def _kinds(parts: Sequence[SchematicPart]) -> Iterable[SchematicPart]:
    return {part.symbol: part for part in reversed(parts)}.values()


def _schematic(kit: Kit) -> str:
    parts, root = circuit(kit), _id(kit, "sheet")
    source = f"Drawn from kit.toml by: cribpi kits draw {kit.name}"
    lines: list[SExpression] = [
        ("version", _SCHEMATIC),
        ("generator", "cribpi"),
        ("uuid", root),
        ("paper", Quoted("A3")),
        ("title_block", ("title", Quoted(f"Circuit of the kit {kit.name}")), ("comment", 1, Quoted(source))),
        ("lib_symbols", *(_symbol(part, f"{NAME}:{part.symbol}") for part in _kinds(parts))),
        *(item for part, x, y in _placed(parts) for item in _instance(kit, root, part, x, y)),
        ("sheet_instances", ("path", Quoted("/"), ("page", Quoted("1")))),
    ]
    body = "\n  ".join(map(written, lines))
    return f"(kicad_sch\n  {body}\n)\n"


def _placed(parts: Sequence[SchematicPart]) -> Iterator[tuple[SchematicPart, float, float]]:
    """Yield each of *parts* with the x of its middle and the y of its first pins, column by column."""
    x, y = _LEFT, _TOP
    for part in parts:
        height = (part.rows + 4) * _GRID
        if y + height > _BOTTOM:
            x, y = x + _ACROSS, _TOP
        yield part, x, y
        y += height


def _id(kit: Kit, *what: str) -> str:
    return str(uuid5(NAMESPACE_URL, "/".join(("cribpi", kit.name, *what))))


def _properties(part: SchematicPart, x: float, y: float, up: float) -> Iterator[SExpression]:
    """Yield the properties of *part*, with its middle at *x* and its first pins at *y*.

    *up* is the sign of y for "above": 1 in a symbol, -1 on the sheet.
    """
    shown = ("Reference", part.reference, 5.72, _FONT), ("Value", part.value, 3.81, _FONT)
    for name, text, over, font in (*shown, ("Footprint", part.footprint, 0.0, _HIDDEN)):
        yield "property", Quoted(name), Quoted(text), ("at", x, y + up * over, 0), font


def _symbol(part: SchematicPart, full_name: str) -> SExpression:
    name, half = part.symbol, part.width * _GRID / 2
    outline = ("start", -half, _GRID), ("end", half, -part.rows * _GRID)
    stroke = ("stroke", ("width", 0.254), ("type", "default")), ("fill", ("type", "background"))
    pins: Iterator[SExpression] = (
        (
            *("pin", pin.type, "line", ("at", x, -y, 0 if x < 0 else 180), ("length", _LENGTH)),
            *(("name", Quoted(pin.name), _FONT), ("number", Quoted(pin.number), _FONT)),
        )
        for pin, x, y in part.ends()
    )
    return (
        "symbol",
        Quoted(full_name),
        *([("power",)] if part.is_flag else []),
        ("pin_names", ("offset", 0.508)),
        ("in_bom", "no" if part.is_flag else "yes"),
        ("on_board", "yes"),
        *_properties(part, 0.0, 0.0, 1),
        ("symbol", Quoted(f"{name}_0_1"), ("rectangle", *outline, *stroke)),
        ("symbol", Quoted(f"{name}_1_1"), *pins),
    )


def _instance(kit: Kit, root: str, part: SchematicPart, x: float, y: float) -> Iterator[SExpression]:
    """Yield *part*, with its middle at *x* and its first pins at *y*, and the labels of its nets."""
    reference = Quoted(part.reference)
    where = ("path", Quoted(f"/{root}"), ("reference", reference), ("unit", 1))
    yield (
        "symbol",
        ("lib_id", Quoted(f"{NAME}:{part.symbol}")),
        ("at", x, y, 0),
        ("unit", 1),
        ("in_bom", "no" if part.is_flag else "yes"),
        ("on_board", "yes" if part.footprint else "no"),
        ("dnp", "no"),
        ("uuid", _id(kit, part.reference)),
        *_properties(part, x, y, -1),
        *(
            ("pin", Quoted(pin.number), ("uuid", _id(kit, part.reference, pin.number)))
            for pin, *_ in part.ends()
        ),
        ("instances", ("project", Quoted(kit.name), where)),
    )
    for pin, dx, dy in part.ends():
        at, own = (x + dx, y + dy), ("uuid", _id(kit, part.reference, pin.number, "end"))
        if pin.net is None:
            yield "no_connect", ("at", *at), own
            continue
        angle, justify = (180, "right") if dx < 0 else (0, "left")
        label = ("effects", ("font", ("size", 1.27, 1.27)), ("justify", justify))
        yield "global_label", Quoted(pin.net), ("shape", "passive"), ("at", *at, angle), label, own
