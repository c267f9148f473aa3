"""A manifest with its fixes, as its author wrote it, and what differs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import yaml

from charts_py.extensions.manifest_files import ManifestLoader
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from gpuplane.admission.object_admission import ObjectAdmission
from gpuplane.edits.edited_list import edit_document
from gpuplane.edits.edited_text import UNREAD, DocumentEdit
from gpuplane.playground.answer import DiffLine
from policies.admission import Effect
from policies.document import members, steps_of, value_at
from policies.manifest_admission import on_manifest
from policies.operation import Operation, apply, copied

_AROUND = 3
"""Lines that are shown before and after a change, as diff has it."""
_MAX_EXACT = 500
"""Lines of a side up to which even frequent ones are used to find what belongs together. Time
grows with the cube of such lines: a pod of 14 KB with 200 containers took seconds."""
_MAX_EDITING = 100_000
"""Operations times characters of the file up to which the author's text is edited: each operation
reads the text of its document, which takes seconds for ten times as much in a browser."""


@dataclass(frozen=True, slots=True)
class FixedManifest:
    before: str
    after: str
    fixed_by: Mapping[int, int]
    """The index of the finding whose fix wrote a line of `after`, by the line, from 0."""


@dataclass(frozen=True, slots=True)
class _Step:
    """An operation of a fix."""

    operation: Operation
    finding: int | None
    """Index of the finding; None where something else keeps it from being one of the object."""


def fixed_manifest(
    text: str, written: Document, admission: ObjectAdmission, length: int
) -> FixedManifest:
    """Return a document with its fixes; `written` is the object before these.

    Where the text cannot be edited, as where a fix would change what an anchor shares, both sides
    are written anew. `length` is that of the file. The annotation that names the rules is left out:
    who keeps the manifest has no use for it.
    """
    steps = list(_steps(written, admission))
    if not steps:
        return FixedManifest(text, text, {})
    if len(steps) * length <= _MAX_EDITING:
        edit = DocumentEdit(0, tuple(step.operation for step in steps))
        edited = edit_document(text, [edit], ManifestLoader)
        if not edited.left:
            return FixedManifest(text, edited.text, _fixed_by(edited.text, written, steps))
    after = copied(written)
    apply(after, [step.operation for step in steps])
    new = to_yaml(after)
    return FixedManifest(to_yaml(written), new, _fixed_by(new, written, steps))


def _steps(written: Document, admission: ObjectAdmission) -> Iterator[_Step]:
    index_of = {id(found.outcome): index for index, found in enumerate(admission.findings)}
    for each in admission.pods:
        template = members(value_at(written, steps_of(each.pod.pointer)))
        lacks_metadata = template.get("metadata") is None
        for outcome in each.admission.outcomes:
            if outcome.effect is not Effect.FIXED:
                continue
            fix = outcome.finding.fix
            done = list(on_manifest(each.pod, fix, lacks_metadata=lacks_metadata))
            lacks_metadata = lacks_metadata and len(done) == len(fix)
            yield from (_Step(operation, index_of.get(id(outcome))) for operation in done)


def _fixed_by(text: str, written: Document, steps: Sequence[_Step]) -> dict[int, int]:
    found: dict[int, int] = {}
    root, document = _root(text), copied(written)
    places = []
    for step in steps:
        above, _, name = step.operation.path.rpartition("/")
        if name == "-":
            name = str(len(value_at(document, steps_of(above))))
        places.append((steps_of(f"{above}/{name}"), step.finding))
        apply(document, [step.operation])
    for place, finding in places:
        if finding is not None:
            found.update(dict.fromkeys(_lines_of(root, place), finding))
    return found


def _root(text: str) -> yaml.Node | None:
    try:
        root: yaml.Node | None = yaml.compose(text, ManifestLoader)
    except UNREAD:
        return None
    return root


def _lines_of(node: yaml.Node | None, place: Iterable[str]) -> range:
    """Return the lines of a field, from that of its key on; none where there is none."""
    first = 0
    for name in place:
        if isinstance(node, yaml.MappingNode):
            found = [pair for pair in node.value if pair[0].value == name][-1:]
        elif isinstance(node, yaml.SequenceNode) and name.isdecimal():
            found = [(item, item) for item in node.value[int(name) :][:1]]
        else:
            found = []
        if not found:
            return range(0)
        ((shown, node),) = found
        first = shown.start_mark.line
    if node is None:
        return range(0)
    # A block ends where what follows it begins.
    is_block = isinstance(node, yaml.CollectionNode) and not node.flow_style
    return range(first, node.end_mark.line + (not is_block))


def manifest_diff(manifest: FixedManifest) -> tuple[DiffLine, ...]:
    """Return what differs, and how many lines are left out; nothing where nothing does."""
    if manifest.before == manifest.after:
        return ()
    old, new = manifest.before.splitlines(), manifest.after.splitlines()
    lines: list[DiffLine] = []
    matcher = SequenceMatcher(None, old, new, autojunk=max(len(old), len(new)) > _MAX_EXACT)
    end = 0
    for group in matcher.get_grouped_opcodes(_AROUND):
        lines += _left_out(group[0][1] - end)
        for tag, first, last, first_new, last_new in group:
            if tag == "equal":
                lines += (DiffLine(" ", line) for line in old[first:last])
            else:
                lines += (DiffLine("-", line) for line in old[first:last])
                lines += (
                    DiffLine("+", new[at], manifest.fixed_by.get(at))
                    for at in range(first_new, last_new)
                )
        end = group[-1][2]
    return (*lines, *_left_out(len(old) - end))


def _left_out(count: int) -> Iterator[DiffLine]:
    if count:
        yield DiffLine("@", "1 unchanged line" if count == 1 else f"{count} unchanged lines")
