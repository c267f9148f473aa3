"""A rule on what manifests say of a workload beside its pods, which no admission of pods sees."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.lint_object import LintObject
from policies.document import Json
from policies.offer import Offer
from policies.operation import Operation
from policies.settings import JobKind, Settings


class TemplateFinding(NamedTuple):
    """What a rule finds in an object."""

    pointer: str
    """JSON Pointer from the object to what is wrong, or to where something is missing."""
    message: str
    """A full sentence: culprit, field and reason."""
    remedy: str
    """A full sentence: what the author can do; empty where the message says it."""
    fix: tuple[Operation, ...] = ()
    """The JSON Patch on the object that fixes it; empty where only its author can."""
    severity: LintSeverity | None = None
    """Where it is another than that of the rule."""


@dataclass(frozen=True, slots=True)
class TemplateContext:
    """What the rules know of where an object is applied."""

    settings: Settings
    """Of the cluster's admission."""
    offer: Offer
    """What the pools of the cluster offer; all objects can share it, with its cache."""
    namespace: str
    kubernetes: str
    """Minor version of the cluster, such as `1.36`."""
    selectors: tuple[Mapping[str, Json], ...] = ()
    """Of the Services in the same file."""
    holder: JobKind | None = None
    """The kind of the object that wraps the one that is judged."""


TemplateCheck: TypeAlias = Callable[[LintObject, TemplateContext], Iterator[TemplateFinding]]
"""A pure function from one object to what is wrong with it."""


@dataclass(frozen=True, slots=True)
class TemplateRule:
    """A rule of the linter alone."""

    name: str
    summary: str
    """A full sentence: what is true of an object that passes."""
    severity: LintSeverity
    check: TemplateCheck
