"""Reading what the files of a run say of workloads in each other."""

import json
import os
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from gpuplane.admission.manifest_file import read_manifests
from gpuplane.lint.cache import CacheStore, digest
from gpuplane.lint.lint_source import LintSource, asks_for_folder, may_join
from gpuplane.lint.told import BUDGET, Told, told
from policies.document import members, text

_NOWHERE = CacheStore(None)
_WORD = re.compile(rb"[\w.-]+")
"""A name, or the value of a label."""


def words(content: bytes) -> set[str]:
    return {each.decode() for each in _WORD.findall(content)}


def told_beside(
    sources: Iterable[LintSource], namespace: str | None, kept: CacheStore = _NOWHERE
) -> tuple[Told, ...]:
    """Return what is told in files that scale workloads or keep pods, and in those with such.

    `kept` has what was read before.
    """
    whole = [each for each in sources if not each.is_patch]
    joining = {each.shown_as: _told_in(each, kept) for each in whole if may_join(each)}
    folders = {os.path.dirname(each.shown_as) for each in whole if asks_for_folder(each)}  # noqa: PTH120 # quick
    names = {*chain.from_iterable(map(_named, chain.from_iterable(joining.values())))}
    found = [
        each._replace(file=source.shown_as, namespace=namespace or each.namespace)
        for source in whole
        if source.shown_as in joining
        or os.path.dirname(source.shown_as) in folders  # noqa: PTH120 # as above
        or not names.isdisjoint(words(source.content))
        for each in joining.get(source.shown_as) or _told_in(source, kept)
    ]
    kept.mark_used()
    return tuple(found)


def _told_in(source: LintSource, kept: CacheStore) -> list[Told]:
    key = digest(source.content)
    if (read := kept.read(key)) is not None:
        return [_read_told(*each) for each in json.loads(read)]
    objects = read_manifests(source.content, "", objects_only=True).objects
    found = [*told((one.document for one in objects), "")]
    kept.write(key, json.dumps(found))
    return found


def _read_told(*fields: Any) -> Told:
    found = Told(*fields)
    kind, name = found.target
    ports, names = tuple(found.ports), tuple(found.port_names)
    return found._replace(target=(kind, name), ports=ports, port_names=names)


def _named(one: Told) -> Iterator[str]:
    """Yield the names and labels of the workloads of which an object says something."""
    if one.target != (one.kind, one.name):
        yield one.target[1]
    elif one.kind == BUDGET.kind:
        yield from filter(None, map(text, members(one.labels.get("matchLabels")).values()))
