"""The types of the HTTP API's answers and bodies, as JSON schemas and as the page's TypeScript.

`PYTHONPATH=tests python -m support.wire` rewrites both. The source text is read too, because docstrings of
fields are included.
"""

from __future__ import annotations

import ast
import importlib
import json
from collections.abc import Iterator
from enum import EnumMeta
from typing import Any, Final, NamedTuple

from cribpi.companion.web.openapi import OPERATIONS
from support.paths import PACKAGE, TESTS

_BODIES: Final = "cribpi.companion.web.json.body_types"
MODULES: Final = (
    "cribpi.cribbage.rules.json_types",
    "cribpi.cribbage.words.json_types",
    "cribpi.cribbage.results.json_types",
    "cribpi.cribbage.review.json_types",
    "cribpi.companion.web.json.setup_types",
    "cribpi.companion.web.json.table_types",
    "cribpi.companion.web.json.past_types",
    _BODIES,
)
SCHEMAS = PACKAGE / "companion" / "web" / "schemas.json"
TYPESCRIPT = TESTS / "companion" / "web" / "types" / "server.d.ts"
_NAMES: Final = {"int": "number", "float": "number", "str": "string", "bool": "boolean", "None": "null"}
_JSON: Final = {"int": "integer", "float": "number", "str": "string", "bool": "boolean", "None": "null"}
_LISTS, _MAPS = {"list", "Sequence"}, {"dict", "Mapping"}


class Field(NamedTuple):
    name: str
    of: ast.expr
    text: str
    is_optional: bool


class Declared(NamedTuple):
    """A class with its fields, or an alias with its value."""

    text: str
    bases: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    alias: ast.expr | None = None
    is_body: bool = False
    """Whether it is part of a request, in which any other field is refused."""


def _with_texts(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
    for each, after in zip(body, [*body[1:], None], strict=True):
        match after:
            case ast.Expr(ast.Constant(str(text))):
                yield each, text
            case _:
                yield each, ""


def _field(name: str, of: ast.expr, text: str) -> Field:
    match of:
        case ast.Subscript(ast.Name("NotRequired"), inner):
            return Field(name, inner, text, is_optional=True)
        case _:
            return Field(name, of, text, is_optional=False)


def declared() -> dict[str, Declared]:
    """Return all types in the order of the source."""
    found: dict[str, Declared] = {}
    for module in MODULES:
        tree = ast.parse((PACKAGE.parent / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))
        for name, value in vars(importlib.import_module(module)).items():
            if isinstance(value, EnumMeta):
                words = f"Literal{list(map(str, value.__members__.values()))}"
                found.setdefault(name, Declared("", alias=ast.parse(words, mode="eval").body))
        for each, text in _with_texts(tree.body):
            match each:
                case ast.ClassDef(name, bases):
                    fields = tuple(
                        _field(one.target.id, one.annotation, told)
                        for one, told in _with_texts(each.body)
                        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
                    )
                    own = [base.id for base in bases if isinstance(base, ast.Name) and base.id != "TypedDict"]
                    found[name] = Declared(
                        ast.get_docstring(each) or "", tuple(own), fields, is_body=module == _BODIES
                    )
                case ast.AnnAssign(ast.Name(name), value=ast.expr() as value):
                    found[name] = Declared(text, alias=value)
                case _:
                    pass
    return found


def _members(of: ast.expr) -> list[ast.expr]:
    return of.elts if isinstance(of, ast.Tuple) else [of]


def typescript_of(of: ast.expr) -> str:
    match of:
        case ast.BinOp(left, ast.BitOr(), right):
            return f"{typescript_of(left)} | {typescript_of(right)}"
        case ast.Subscript(ast.Name("Literal"), values):
            return " | ".join(json.dumps(ast.literal_eval(one)) for one in _members(values))
        case ast.Subscript(ast.Name("tuple"), members):
            return f"[{', '.join(map(typescript_of, _members(members)))}]"
        case ast.Subscript(ast.Name(name), inner) if name in _LISTS:
            each = typescript_of(inner)
            return f"({each})[]" if " | " in each else f"{each}[]"
        case ast.Subscript(ast.Name(name), ast.Tuple([key, value])) if name in _MAPS:
            return f"Record<{typescript_of(key)}, {typescript_of(value)}>"
        case ast.Constant(str(name)) | ast.Name(name):
            return _NAMES.get(name, name)
        case ast.Constant(None):
            return "null"
        case _:
            raise AssertionError(ast.dump(of))


def _comment(text: str, indent: str) -> list[str]:
    return [f"{indent}/** {' '.join(text.split())} */"] if text else []


def typescript() -> str:
    """Return the page's types of what the server sends, and of what it reads."""
    lines = ["// Written by `PYTHONPATH=tests python -m support.wire`: change the types in Python.", ""]
    lines.append("declare namespace Server {")
    for name, one in declared().items():
        lines += _comment(one.text, "  ")
        if one.alias is not None:
            lines.append(f"  type {name} = {typescript_of(one.alias)};")
            continue
        extends = f" extends {', '.join(one.bases)}" if one.bases else ""
        lines.append(f"  interface {name}{extends} {{")
        for field in one.fields:
            lines += _comment(field.text, "    ")
            lines.append(f"    {field.name}{'?' * field.is_optional}: {typescript_of(field.of)};")
        lines.append("  }")
    lines += ["  /** For each path the body that is posted to it. */", "  interface Requests {"]
    lines += [
        f"    {json.dumps(name.split()[1])}: {one.body};" for name, one in OPERATIONS.items() if one.body
    ]
    return "\n".join([*lines, "  }", "}", ""])


def schema_of(of: ast.expr) -> dict[str, Any]:
    match of:
        case ast.BinOp():
            return {"anyOf": [schema_of(one) for one in _alternatives(of)]}
        case ast.Subscript(ast.Name("Literal"), values):
            words = [ast.literal_eval(one) for one in _members(values)]
            return {"type": _JSON[type(words[0]).__name__], "enum": words}
        case ast.Subscript(ast.Name("tuple"), members):
            each = list(map(schema_of, _members(members)))
            return {"type": "array", "prefixItems": each, "minItems": len(each), "maxItems": len(each)}
        case ast.Subscript(ast.Name(name), inner) if name in _LISTS:
            return {"type": "array", "items": schema_of(inner)}
        case ast.Subscript(ast.Name(name), ast.Tuple([_, value])) if name in _MAPS:
            return {"type": "object", "additionalProperties": schema_of(value)}
        case ast.Constant(str(name)) | ast.Name(name):
            return {"type": _JSON[name]} if name in _JSON else {"$ref": f"#/components/schemas/{name}"}
        case ast.Constant(None):
            return {"type": "null"}
        case _:
            raise AssertionError(ast.dump(of))


def _alternatives(of: ast.expr) -> list[ast.expr]:
    if isinstance(of, ast.BinOp):
        return [*_alternatives(of.left), *_alternatives(of.right)]
    return [of]


def _fields(name: str, types: dict[str, Declared]) -> dict[str, Field]:
    own = {field.name: field for field in types[name].fields}
    return {key: one for base in types[name].bases for key, one in _fields(base, types).items()} | own


def schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON schema of each type, by name. A subtype repeats the fields of its base."""
    types = declared()
    found: dict[str, dict[str, Any]] = {}
    for name, one in types.items():
        text = {"description": " ".join(one.text.split())} if one.text else {}
        if one.alias is not None:
            found[name] = text | schema_of(one.alias)
            continue
        fields = _fields(name, types)
        found[name] = {
            "type": "object",
            **text,
            "required": [field.name for field in fields.values() if not field.is_optional],
            "properties": {
                field.name: schema_of(field.of)
                | ({"description": " ".join(field.text.split())} if field.text else {})
                for field in fields.values()
            },
            **({"additionalProperties": False} if one.is_body else {}),
        }
    return found


def schemas_text() -> str:
    rows = (f"{json.dumps(name)}: {json.dumps(one, ensure_ascii=False)}" for name, one in schemas().items())
    return "{" + ",\n".join(rows) + "}\n"


if __name__ == "__main__":
    SCHEMAS.write_text(schemas_text(), encoding="utf-8")
    TYPESCRIPT.write_text(typescript(), encoding="utf-8")
