"""Reading raw JSON documents without assumptions, and JSON Pointers into them.

https://www.rfc-editor.org/rfc/rfc6901
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

Json: TypeAlias = Any
"""What a JSON decoder returns; nothing may be assumed about it."""
Document: TypeAlias = dict[str, Json]

_EMPTY: Mapping[str, Json] = {}
_PLAIN = re.compile(r"[\w-]+")


def members(value: Json) -> Mapping[str, Json]:
    """Return the value where it is an object, else an empty one."""
    return value if type(value) is dict else _EMPTY


def elements(value: Json) -> Sequence[Json]:
    """Return the value where it is an array, else an empty one."""
    return value if type(value) is list else ()


def text(value: Json) -> str:
    """Return the value where it is a string, else an empty one."""
    return value if type(value) is str else ""


def each(entries: Sequence[Json], name: str) -> list[Json]:
    """Return the member of that name of each entry that is an object; None where it has none."""
    try:
        return list(map(itemgetter(name), entries))
    except (KeyError, TypeError):  # some entry is not an object, or has no such member
        return [entry.get(name) for entry in entries if type(entry) is dict]


def pointer(*tokens: str | int) -> str:
    path = ""
    for token in tokens:
        path += f"/{escaped(token) if type(token) is str else token}"
    return path


def steps_of(pointer: str) -> list[str]:
    """Return the steps of a JSON Pointer: names of members, and indices of elements."""
    steps = pointer.split("/")[1:]
    return [*map(unescaped, steps)] if "~" in pointer else steps


def field_path(pointer: str) -> str:
    """Write a JSON Pointer as Kubernetes names fields: `spec.containers[0].image`."""
    path = ""
    for step in steps_of(pointer):
        if step.isdecimal():
            path += f"[{step}]"
        else:
            path += f".{step}" if _PLAIN.fullmatch(step) else f'."{shown(step)}"'
    return path.removeprefix(".")


def holders(pointer: str) -> Iterator[str]:
    """Yield a JSON Pointer, and those to what holds its field, the nearest first."""
    yield pointer
    while pointer:
        pointer = pointer.rpartition("/")[0]
        yield pointer


def value_at(value: Json, steps: Iterable[str | int], missing: Json = None) -> Json:
    """Return what the steps of a path lead to, or `missing` where they lead nowhere.

    An element's index may be a number or, as in a JSON Pointer, its digits.
    """
    for step in steps:
        if type(value) is dict and step in value:
            value = value[step]
        elif type(value) is list and str(step).isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return missing
    return value


def name_of(document: Json) -> str:
    """Return the name of an object, or how the one begins that the API server gives it."""
    metadata = members(members(document).get("metadata"))
    return text(metadata.get("name")) or text(metadata.get("generateName"))


def namespace_of(document: Json) -> str:
    """Return the namespace that an object names; empty where it names none."""
    return text(value_at(document, ("metadata", "namespace")))


def objects(document: Json, at: str = "") -> Iterator[tuple[str, Document]]:
    """Yield the object, or those in a List, each with the JSON Pointer to it."""
    if type(document) is not dict:
        return
    if text(document.get("kind")).endswith("List") and type(document.get("items")) is list:
        for index, item in enumerate(document["items"]):
            yield from objects(item, f"{at}/items/{index}")
    else:
        yield at, document


def escaped(token: str) -> str:
    if "/" in token or "~" in token:
        return token.replace("~", "~0").replace("/", "~1")
    return token


def unescaped(token: str) -> str:
    """Return the member's name that a token of a JSON Pointer stands for."""
    return token.replace("~1", "/").replace("~0", "~") if "~" in token else token


MAX_SHOWN_LENGTH = 60
MAX_LISTED = 6


def shown(value: Json) -> str:
    """Format any value of a document for a message: short, on one line and printable."""
    if type(value) is not str:
        kinds = {dict: "an object", list: "an array", type(None): "null", bool: "a boolean"}
        return kinds.get(type(value)) or str(value)[:MAX_SHOWN_LENGTH]
    # What is cut off anyway need not be escaped: it can be megabytes.
    return cut(printable(value[: MAX_SHOWN_LENGTH + 1]), MAX_SHOWN_LENGTH)


def cut(text: str, most: int) -> str:
    """Return the text, of which dots stand for what is more than so many characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def few(names: Sequence[str], most: int = 3) -> str:
    """Join the first names, and say how many more there are."""
    left = len(names) - most
    return ", ".join(names[:most]) + (f" and {left} more" if left > 0 else "")


def listed(names: Sequence[str], joint: str = ", ") -> str:
    """Join names of a document for a message: a few of them, each short, and how many more."""
    first = joint.join([shown(name) for name in names[:MAX_LISTED]])
    more = len(names) - MAX_LISTED
    return f"{first} and {more} more" if more > 0 else first


def printable(text: str) -> str:
    r"""Escape what does not show as itself, as `\x1b` for what begins an order to a terminal.

    It is shown by its bytes in UTF-8, as CEL can show it, too. Characters that turn the direction
    of text or take no room are escaped, too: they make one name look like another.
    """
    if text.isprintable():
        return text
    return "".join([letter if letter.isprintable() else _escape(letter) for letter in text])


def _escape(letter: str) -> str:
    # A document may hold half of a pair of surrogates, which is not a character.
    return "".join([f"\\x{byte:02x}" for byte in letter.encode("utf-8", "surrogatepass")])
