"""Writes a plan as GitHub-flavoured Markdown, for a comment on a pull request."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from pathlib import PurePosixPath

from charts_py.cluster_file.fault import counted
from charts_py.objects.fields import FieldChange
from gpuplane.alike_clusters import alike, is_cut_short, names_of, same_holds
from gpuplane.plan.headline import (
    base_lines,
    edited_lines,
    headline,
    plan_lines,
    sentence,
    versions,
)
from gpuplane.plan.part import SIGNS, Part, ReportedEffect, ReportedObjects
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.plan_parts import parts
from gpuplane.tables import code, escaped, fenced, table_lines
from gpuplane.versions.comparison import ChangedObject
from gpuplane.versions.difference_format import details, diff_lines, is_multi_line
from policies.document import few

MAX_CHARACTERS = 65_536
"""GitHub refuses a longer comment: "Body is too long (maximum is 65536 characters)"."""
_RESERVED = 2_500
"""The note on what is not shown takes so many characters at most."""
_ROWS = 20
_UNFOLDED_LINES = 25
_LINES, _LINE = 40, 120
"""Of an object so many lines are shown, and of long text so many characters."""
_BEFORE = 30
"""Of these characters, so many are before the first difference."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Text that is shown as a whole, or not at all."""

    text: str
    names: tuple[str, ...]
    """The objects that it shows, or the title of a part without any."""
    cluster: str = ""
    is_heading: bool = False


def to_markdown(plan: Plan, limit: int = MAX_CHARACTERS) -> str:
    """Return the comment; what does not fit is counted and named, as far as that fits."""
    shown: list[str] = []
    missing: list[str] = []
    room = limit - _RESERVED
    headless = set[str]()
    for block in _blocks(plan):
        # Without its heading, a part would stand below that of another cluster.
        if len(block.text) < room and block.cluster not in headless:
            shown.append(block.text)
            room -= len(block.text) + 1
        else:
            missing += block.names
            headless |= {block.cluster} if block.is_heading else set()
    base = plan.base.arguments if plan.base else ()
    return "\n".join([*shown, *_missing(missing, limit, shlex.join(("gpuplane", "plan", *base)))])


def _missing(names: list[str], limit: int, command: str) -> Iterator[str]:
    if not names:
        return
    named, room = [], _RESERVED - 300
    for name in names:
        room -= len(name) + 2
        if room > 0:
            named.append(name)
    yield (
        f"**{len(names)} more are not shown, since a comment holds {limit:,} characters**: "
        f"{few(names, len(named))}. {code(command)} shows all.\n"
    )


def _blocks(plan: Plan) -> Iterator[_Block]:
    yield _Block(f"### gpuplane plan: {plan.verdict_words}\n\n**{escaped(headline(plan))}**\n", ())
    for line in base_lines(plan):
        yield _Block(f"{escaped(line)}\n", ())
    for line in edited_lines(plan):
        yield _Block(f"**{escaped(line)}**\n", ())
    edits = ((PurePosixPath(file).stem, diff, (file, diff)) for file, diff in plan.edits.items())
    for (file, diff), clusters in alike(edits):
        files = [file, *(str(PurePosixPath(file).with_stem(each)) for each in clusters)]
        yield _Block(_diff_text(names_of(files), diff), (escaped(names_of(files)),))
    for each, others in alike_plans(plan):
        for block in _cluster(each, plan, others):
            yield replace(block, cluster=versions(each))
    if plan.known_unchanged:
        yield _Block(f"Unchanged: {escaped(names_of(plan.known_unchanged))}.\n", ())


def alike_plans(plan: Plan) -> Iterator[tuple[ClusterPlan, Sequence[str]]]:
    """Yield one of the plans that differ by nothing but names of clusters, with the other names."""
    blocks = ((each, _cluster(each, plan)) for each in plan.clusters)
    return alike(
        (each.cluster, "".join(block.text for block in of_each), each) for each, of_each in blocks
    )


def _cluster(each: ClusterPlan, plan: Plan, others: Sequence[str] = ()) -> Iterator[_Block]:
    """Yield the blocks of a cluster, which hold of others as well."""
    yield _heading(each, plan, others)
    for part in parts(each, plan.base):
        yield from _part_blocks(part)
    yield from _values(each)


def _heading(each: ClusterPlan, plan: Plan, others: Sequence[str]) -> _Block:
    lines = [f"#### {escaped(versions(each))}", ""]
    if others:
        lines += [escaped(same_holds(others)), ""]
    if is_cut_short(others):
        lines += [details(f"All {len(others) + 1}", escaped(", ".join((each.cluster, *others))))]
    # Of one cluster, the first sentence has said it.
    if len(plan.clusters) > 1:
        lines += [escaped(sentence([each])), ""]
    for line in plan_lines(each):
        lines += [escaped(line), ""]
    return _Block("\n".join(lines), (versions(each),), is_heading=True)


def _diff_text(name: str, diff: str) -> str:
    """Return a diff, folded where it is long."""
    if diff.count("\n") < _UNFOLDED_LINES:
        return f"{code(name)}\n\n{fenced(diff, 'diff')}\n"
    return details(code(name), fenced(diff, "diff"))


def _values(each: ClusterPlan) -> Iterator[_Block]:
    """Yield the fields of changed objects, old and new, by component."""
    for component, found in groupby(each.values, lambda one: one.placed.component):
        objects = [*found]
        title = f"Values of {component}: {counted(len(objects), 'object')}"
        body = fenced("\n".join(line for one in objects for line in _value_lines(one)), "diff")
        yield _Block(details(escaped(title), body), (escaped(f"values of {component}"),))


def _value_lines(one: ChangedObject) -> Iterator[str]:
    yield f"@@ {one.placed.key} @@"
    lines = [line for field in one.fields for line in diff_lines(_around(field))]
    yield from lines[:_LINES]
    if len(lines) > _LINES:
        yield f"  {len(lines) - _LINES} more lines"


def _around(change: FieldChange) -> FieldChange:
    """Return long text from a little before its first difference on."""
    old, new = change.old, change.new
    if not (isinstance(old, str) and isinstance(new, str)) or is_multi_line(change):
        return change
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    start = max(0, alike - _BEFORE)
    return replace(change, old=_cut(old, start), new=_cut(new, start))


def _cut(text: str, start: int) -> str:
    if len(text) <= _LINE:
        return text
    end = start + _LINE
    return f"{'... ' if start else ''}{text[start:end]}{' ...' if len(text) > end else ''}"


def _part_blocks(part: Part) -> Iterator[_Block]:
    """Yield a part as one block; one that is very long, in two or more."""
    if len(part.objects) > _ROWS:
        yield from _part_blocks(replace(part, objects=part.objects[:_ROWS]))
        yield from _part_blocks(replace(part, objects=part.objects[_ROWS:], tables=(), notes=()))
        return
    names = tuple(escaped(str(each)) for each in part.objects) or (escaped(part.title),)
    yield _Block(_part(part), names)


def _part(part: Part) -> str:
    body = "\n".join(_body(part)).rstrip()
    title = escaped(part.title)
    return details(title, body) if part.is_detail else f"**{title}**\n\n{body}\n"


def _body(part: Part) -> Iterator[str]:
    if part.objects:
        yield from (*_object_table(part.objects), "")
    for table in part.tables:
        yield from (*table_lines(table), "")
    if part.steps:
        yield from (*(f"{n}. {escaped(step)}" for n, step in enumerate(part.steps, 1)), "")
    if part.notes:
        yield from (*(f"- {escaped(note)}" for note in part.notes), "")
    if part.commands:
        yield from (fenced("\n".join(part.commands), "sh"), "")


def _object_table(objects: Iterable[ReportedObjects]) -> Iterator[str]:
    yield "| Verdict | Object | Why |"
    yield "|---|---|---|"
    for each in objects:
        why = "<br>".join(map(_why, each.effects))
        yield f"| {each.verdict.word} | {code(f'{SIGNS[each.change]} {each}')} | {why} |"


def _why(effect: ReportedEffect) -> str:
    fields = f"{code(effect.named)}: " if effect.named else ""
    source = f" ([source]({effect.source}))" if effect.source else ""
    return f"{fields}{escaped(effect.said)}{source}"
