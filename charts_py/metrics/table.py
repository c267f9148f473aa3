"""Tables of rules, alerts and panels, in YAML, with placeholders such as `{few_nodes}`.

A table fills them from its own `values`, which may stand on those above them, from the values that
its reader passes, and from `shared.yaml`. PromQL, whose braces hold matchers, and the templates of
Prometheus and Grafana, which double theirs, stay as they are.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import yaml

from gpus.allocator import Allocator
from gpus.platform_names import NVLINK_CHANNEL, PLACED
from gpus.sharing import SharingKind

_PLACEHOLDER = re.compile(r"(?!(?<=\{)\{\w+\}\})\{([a-z]\w*)\}")
"""A name in braces, unless both of these are doubled."""
_VALUES = {
    "dra": Allocator.DRA,
    "nvlink_channel": NVLINK_CHANNEL,
    "placed": PLACED,
    "sole_holders": f"{SharingKind.NONE}|{SharingKind.MIG}",
}


class TableError(Exception):
    """A table has a placeholder that nothing fills, or a value that no row uses."""


def read_table(file: Traversable, **values: object) -> Any:
    """Return the content of a table; raise TableError where its placeholders are amiss."""
    table = load_table(file)
    return fill_table(file, table, table.pop("values", {}), **values)


def fill_table(
    file: Traversable, table: Any, own_values: Mapping[str, object], **values: object
) -> Any:
    """Return what a file holds with its placeholders filled, as `read_table` does."""
    known, used = dict(shared_values()), set[str]()
    own = {**values, **own_values}
    for name, value in own.items():
        known[name] = filled(value, known, used)
    content = filled(table, known, used)
    if unused := sorted(own.keys() - used):
        raise TableError(f"{file}: no row uses {', '.join(unused)}")
    if unfilled := sorted(set(_placeholders(content))):
        raise TableError(f"{file}: nothing fills {', '.join(f'{{{name}}}' for name in unfilled)}")
    return content


def filled(content: Any, values: Mapping[str, object], used: set[str]) -> Any:
    """Return content with what the values fill; add the names of these to `used`.

    A text that is nothing but a placeholder becomes the value, which may be a number.
    """
    if isinstance(content, dict):
        return {key: filled(value, values, used) for key, value in content.items()}
    if isinstance(content, list):
        return [filled(each, values, used) for each in content]
    if not isinstance(content, str):
        return content
    names = values.keys() & set(_PLACEHOLDER.findall(content))
    used |= names
    if (whole := _PLACEHOLDER.fullmatch(content)) and whole[1] in names:
        return values[whole[1]]
    return _PLACEHOLDER.sub(lambda found: str(values.get(found[1], found[0])), content)


def _placeholders(content: Any) -> Iterator[str]:
    if isinstance(content, dict):
        for each in content.values():
            yield from _placeholders(each)
    elif isinstance(content, list):
        for each in content:
            yield from _placeholders(each)
    elif isinstance(content, str):
        yield from _PLACEHOLDER.findall(content)


@cache
def shared_values() -> Mapping[str, str]:
    known: dict[str, str] = dict(_VALUES)
    for name, part in load_table(files(__package__) / "shared.yaml").items():
        known[name] = filled(part, known, set())
    return known


def load_table(file: Traversable) -> Any:
    """Return a table as it stands, its placeholders unfilled.

    Raises TableError where a mapping has a key twice: YAML would keep the last.
    """
    loader = yaml.CSafeLoader(file.read_text(encoding="utf-8"))
    node = loader.get_single_node()
    if twice := next(_keys_that_stand_twice(node), None):
        line = twice.start_mark.line + 1
        raise TableError(f"{file}:{line}: {twice.value} has a row already")
    return loader.construct_document(node)


def _keys_that_stand_twice(node: yaml.Node | None) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        seen = set[str]()
        for key, value in node.value:
            if key.value in seen:
                yield key
            seen.add(key.value)
            yield from _keys_that_stand_twice(value)
    elif isinstance(node, yaml.SequenceNode):
        for each in node.value:
            yield from _keys_that_stand_twice(each)
