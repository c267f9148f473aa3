"""The settings that documentation speaks of."""

from collections.abc import Iterator

from msgspec.inspect import DictType, StructType, Type, UnionType, VarTupleType, type_info

from policies.settings import Settings


def documented_settings() -> Iterator[str]:
    """Yield the path of every setting, so that documentation can be checked for each."""
    yield from _paths(type_info(Settings), "")


def _paths(described: Type, path: str) -> Iterator[str]:
    match described:
        case StructType(fields=fields):
            for field in fields:
                below = f"{path}.{field.encode_name}".removeprefix(".")
                yield below
                yield from _paths(field.type, below)
        case DictType(value_type=member) | VarTupleType(item_type=member):
            yield from _paths(member, path)
        case UnionType(types=members):
            for member in members:
                yield from _paths(member, path)
