"""Findings on values that somebody fills in before a manifest is applied."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from charts_py.objects.document import Document
from gpuplane.admission.manifest_file import ManifestObject
from gpuplane.admission.unread_parts import Shape, stated_shapes
from gpuplane.lint.finding import LintSeverity, ObjectFinding, ReadingRule, object_subject
from policies.document import Json, field_path, holders, objects, shown, text, unescaped
from policies.workloads.place import EVERY, children
from policies.workloads.pod_template import pod_templates

_MAX_LENGTH = 256
"""Length of what stands between braces. Without a bound, each of thousands of openings would be
searched for its end to the end of the value."""
_WRITTEN = (
    rf"\$\w+|\$[{{(]\w[^}})]{{0,{_MAX_LENGTH}}}[}})]",  # of envsubst and make
    rf"\{{\{{[^}}]{{1,{_MAX_LENGTH}}}\}}\}}",  # of Helm and Jinja
    r"<[\w .-]+>|%\w+%|__\w+__|@\w+@",
    r"(?i:(?<!\w)(?:replace|change)[-_]?me(?!\w)|(?<![\w-])(?:your|replaced[-_]by)[-_]\w+)",
)
PLACEHOLDER = re.compile("|".join(_WRITTEN))
"""Tools fill in these, and people write them for others to fill in."""
CAPITALS = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
"""The name of a variable in the place of a value: no image, object or number is called so."""
_PARAMETER = re.compile(_WRITTEN[1])
"""Argo fills in these itself."""
_COUNTS = ("completions", "maxReplicas", "minAvailable", "minReplicas", "parallelism", "replicas")
HOLDER_NUMBERS = (*_COUNTS, "backoffLimit", "size")
"""Numbers in the objects that hold a template."""
_PROCESSES = ("numNodes", "numProcPerNode", "nprocPerNode", "slotsPerWorker")
_SECONDS = ("activeDeadlineSeconds", "ttlSecondsAfterFinished")
_OTHERS = ("containerPort", "sizeLimit", "topologyKey")
_NAMES = ("claimName", "generateName", "image", "name", "namespace", "nodeName", "queue")
_CLASSES = ("priorityClassName", "runtimeClassName", "schedulerName", "serviceAccountName")
_FIELDS = frozenset((*HOLDER_NUMBERS, *_PROCESSES, *_SECONDS, *_OTHERS, *_NAMES, *_CLASSES))
_HOLDERS = frozenset(("labels", "limits", "matchLabels", "nodeSelector", "requests"))
"""Holders of members with any name, which are numbers or names."""
_OF_CAPITALS = frozenset(("limits", "requests"))
_NOT_CALLED_SO = _FIELDS - {"name", "topologyKey"}
"""An Argo parameter may have such a name, and a label such a key or value."""
_PATHS = ("devicePath", "mountPath", "path")
_WORDS = ("effect", "medium", "operator", "procMount", "restartPolicy", "type")
_OF_PODS = frozenset((*_PATHS, *_WORDS, "host", "reference"))
"""Fields in pods that hold no capitals with underscores; keys, values and capabilities may."""
_FREE = frozenset(("annotations", "args", "command", "data", "env", "stringData", "value"))
"""A program may fill in anything in these fields."""
_OF_PROGRAMS = frozenset(("args", "command", "data", "env", "stringData"))
_Found = tuple[ObjectFinding, tuple[str, ...]]


def without_placeholders(found: Iterable[_Found], document: Document) -> Iterator[_Found]:
    """Yield one finding for each placeholder, and the findings that follow from none.

    What is wrong with `$GPU_PER_NODE` says nothing of the value that takes its place.
    """
    found = [*found]
    by_object = {
        at: _Placeholders(at, one, values)
        for at, one in objects(document)
        if (values := {**placeholders(one), **_reported(one, found)})
    }
    for each in by_object.values():
        yield from each.named()
    for finding, clusters in found:
        at = next((at for at in holders(finding.pointer) if at in by_object), None)
        if at is None or not by_object[at].explains(finding):
            yield finding, clusters


def _reported(one: Document, found: Sequence[_Found]) -> Mapping[str, str]:
    """Return placeholders in fields of any kind that findings name."""
    said = [finding.message for finding, _ in found if is_placeholder(finding.message)]
    fills_in = text(one.get("apiVersion")).startswith("argoproj.io/")
    return {
        place: value
        for place, value in (_texts(one, "", _OF_PROGRAMS) if said and not fills_in else ())
        if is_placeholder(value) and any(shown(value) in each for each in said)
    }


def _texts(here: Json, place: str, skipped: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield each text, by JSON Pointer, but for those in fields that are skipped."""
    if type(here) is str:
        yield place, here
    for step, below in children(here):
        if step not in skipped:
            yield from _texts(below, f"{place}/{step}", skipped)


class _Placeholders:
    def __init__(self, at: str, one: Document, values: Mapping[str, str]) -> None:
        """`at`: JSON Pointer to the object in its document; `values`: by JSON Pointer from it."""
        self._object = one
        self._values = {f"{at}{place}": value for place, value in values.items()}
        self._shown = {*map(shown, self._values.values())}
        self._fields = defaultdict[str, list[str]](list)
        for place in self._values:
            holder, _, field = place.rpartition("/")
            self._fields[holder].append(unescaped(field))

    def named(self) -> Iterator[_Found]:
        subject = object_subject(self._object)
        for pointer, value in self._values.items():
            yield placeholder_finding(subject, pointer, value), ()

    def explains(self, finding: ObjectFinding) -> bool:
        """Whether a finding is about a placeholder: at its place, or by naming it or its field."""
        sentence = f"{finding.message} {finding.remedy}"
        return (
            finding.pointer in self._values
            or any(
                field.isdecimal() or field in sentence
                for field in self._fields.get(finding.pointer, ())
            )
            or any(value in finding.message for value in self._shown)
        )


def placeholder_finding(subject: str, pointer: str, value: str) -> ObjectFinding:
    message = f"The value of {_field(pointer)} is the placeholder {shown(value)}."
    remedy = "Fill it in, and lint the result."
    rule, severity = ReadingRule.UNFILLED_PLACEHOLDER, LintSeverity.WARNING
    return ObjectFinding(rule, severity, subject, pointer, message, remedy, ())


def _field(pointer: str) -> str:
    holder, _, step = pointer.rpartition("/")
    of_list = f"{holder.rpartition('/')[2]}[{step}]"
    return shown(unescaped(of_list if step.isdecimal() else step))


def is_placeholder(value: Json) -> bool:
    return PLACEHOLDER.search(text(value)) is not None


def placeholders(document: Document) -> Mapping[str, str]:
    """Return the values of fields that have a placeholder, by JSON Pointer.

    Only where a number or a name belongs, or rules read pods: what stands in commands, variables
    and annotations is a matter of the program that reads it.
    """
    fills_in = text(document.get("apiVersion")).startswith("argoproj.io/")
    found = ((at, value) for at, value in _texts(document, "", _FREE) if _stands_in(at, value))
    return {
        pointer: value
        for pointer, value in (*found, *_in_pods(document))
        if not (fills_in and _PARAMETER.search(value))
    }


def placeholder_notes(objects: Iterable[ManifestObject]) -> Iterator[str]:
    """Yield a line for each placeholder in objects that create pods."""
    for one in objects:
        if any(pod_templates(one.document)):
            for place, value in placeholders(one.document).items():
                what = f"{field_path(place)} is the placeholder {shown(value)}"
                yield f"{one.mark_of(place)}: {what}, which is judged as it stands"


def _in_pods(document: Document) -> Iterator[tuple[str, str]]:
    for template in (each for each in pod_templates(document) if not each.partial):
        shape = stated_shapes()["template"]
        for pointer, value in _strings(template.document, shape, template.pointer):
            is_of_pods = pointer.rpartition("/")[2] in _OF_PODS
            if is_placeholder(value) or (is_of_pods and CAPITALS.fullmatch(value)):
                yield pointer, value


def _strings(here: Json, shape: Shape, at: str) -> Iterator[tuple[str, str]]:
    """Yield each string that rules read, by JSON Pointer, also in the place of another type."""
    if type(here) is str:
        yield at, here
    elif type(here) is type(shape):
        for step, below in children(here):
            name = unescaped(step)
            inner = shape[0] if type(shape) is list else shape.get(name, shape.get(EVERY))
            if inner is not None and name not in ("annotations", "env"):
                yield from _strings(below, inner, f"{at}/{step}")


def _stands_in(pointer: str, value: str) -> bool:
    """Whether a text is a placeholder, of a kind that a field may have."""
    holder, name = pointer.split("/")[-2:]
    if is_placeholder(value):
        return holder in _HOLDERS or unescaped(name) in _FIELDS
    return (holder in _OF_CAPITALS or name in _NOT_CALLED_SO) and bool(CAPITALS.fullmatch(value))
