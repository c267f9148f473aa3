"""How many of something there are is a number, which has no quotes.

The API server reads no string as one, in its own kinds and in those of definitions.
"""

from collections.abc import Iterator
from functools import cache

from charts_py.objects.document import Document
from gpuplane.lint.placeholder_places import is_placeholder
from gpuplane.lint.template_rule import TemplateFinding
from policies.document import members, shown
from policies.operation import Operation
from policies.workloads.place import at
from policies.workloads.workload_kind import WorkloadKind

NUMBERS = frozenset(
    {
        "backoffLimit",
        "completions",
        "maxReplicas",
        "minAvailable",
        "minReplicas",
        "parallelism",
        "replicas",
        "size",
    }
)
"""Fields of what holds a template."""
_MAX_DIGITS = 9
"""Which any of them can have: they have 32 bits."""


def quoted_numbers(document: Document, known: WorkloadKind) -> Iterator[TemplateFinding]:
    """Find strings where a number is, in what holds the templates of pods."""
    for place in places_above(known.templates):
        for pointer, holder in at(document, place):
            for name, value in members(holder).items():
                if type(value) is str and name in NUMBERS and not is_placeholder(value):
                    yield _quoted(f"{pointer}/{name}", name, value)


@cache
def places_above(places: tuple[str, ...]) -> tuple[str, ...]:
    """Return the places of all that a template is in, but of the object itself."""
    steps = [place.split("/") for place in places]
    return tuple(sorted({"/".join(each[:end]) for each in steps for end in range(2, len(each))}))


def _quoted(pointer: str, name: str, value: str) -> TemplateFinding:
    is_number = value.isascii() and value.isdecimal() and len(value) <= _MAX_DIGITS
    fix = (Operation("replace", pointer, int(value)),) if is_number else ()
    return TemplateFinding(
        pointer,
        f'{name} is the string "{shown(value)}", and the API server takes only a number.',
        "Leave its quotes out." if fix else "Write a number, without quotes.",
        fix,
    )
