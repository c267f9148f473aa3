"""Findings on files, documents, parts and namespaces that keep rules from judging them."""

import json
import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from charts_py.cluster_file.fault import Fault, Mark, Problem
from charts_py.objects.document import Document
from gpuplane.admission.manifest_file import ManifestObject, TemplateEngine, TemplateFault
from gpuplane.lint.cluster_judge import ClusterJudge
from gpuplane.lint.finding import (
    LintFinding,
    LintSeverity,
    ObjectFinding,
    ReadingRule,
    object_subject,
)
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.placeholders import is_placeholder, placeholder_finding
from gpus.nearest import nearest, nearest_hint
from policies.document import namespace_of, pointer, printable, shown, steps_of, text, value_at
from policies.exemption import is_exempt_namespace
from policies.settings import kind_of
from policies.workloads.registry import workload_kind

_OF_HELM = "Lint what it renders: gpuplane lint --helm CHART."


def stop_finding(source: LintSource, fault: Fault) -> LintFinding:
    if not isinstance(fault, TemplateFault):
        return finding_on_line(source, fault, ReadingRule.UNREADABLE_FILE)
    if fault.engine is TemplateEngine.OTHER:
        rule, remedy = ReadingRule.UNFILLED_PLACEHOLDER, "Fill it in, and lint the result."
        message = f"{fault.problem.what[:1].upper()}{fault.problem.what[1:]}."
        found = finding_on_line(source, fault, rule)
        return found._replace(severity=LintSeverity.WARNING, message=message, remedy=remedy)
    return finding_on_line(source, fault, ReadingRule.TEMPLATE)._replace(
        severity=LintSeverity.WARNING,
        message=f"The file is a {fault.engine} template, which is not linted.",
        remedy=_OF_HELM if fault.engine is TemplateEngine.HELM else "Lint what it renders.",
    )


def unbuilt_finding(source: LintSource) -> LintFinding:
    """Tell why what kustomize builds is not judged, of which the parts are."""
    why = f"the overlay is not linted, since kustomize does not build it: {source.unbuilt}"
    fault = Fault(Mark(source.shown_as, source.unread_line), Problem((), why))
    found = finding_on_line(source, fault, ReadingRule.UNBUILT_OVERLAY)
    if source.is_late:
        build = f"kubectl kustomize {shlex.quote(str(Path(source.shown_as).parent))}"
        return found._replace(
            remedy=f"Lint fewer folders at once, or what is built: {build} | gpuplane lint -"
        )
    remedy = "Mend what kustomize names; until then, its files are linted one by one."
    return found._replace(severity=LintSeverity.WARNING, remedy=remedy)


def part_finding(one: ManifestObject, fault: Fault) -> LintFinding:
    at = pointer(*fault.problem.path)
    start, end = one.marks_of(at)
    subject, value = object_subject(one.document), value_at(one.document, steps_of(at))
    if is_placeholder(value):
        found = placeholder_finding(subject, at, text(value))
    else:
        message = f"{printable(str(fault.problem))}."
        rule, severity = ReadingRule.UNREAD_PART, LintSeverity.ERROR
        found = ObjectFinding(rule, severity, subject, at, message, "", ())
    return LintFinding(**found._asdict(), start=start, end=end, document=one.index)


def imageless_finding(one: ManifestObject, at: str) -> LintFinding:
    """Tell that an object is judged as a patch, though no kustomization can name it."""
    path = tuple([int(step) if step.isdecimal() else step for step in steps_of(at)])
    what = "without an image, so taken for a patch of Kustomize and not judged by what it lacks"
    fault = Fault(one.mark, Problem(path, what, "an image, or gpuplane lint DIR with its base"))
    return part_finding(one, fault)._replace(severity=LintSeverity.WARNING)


def finding_on_line(source: LintSource, fault: Fault, rule: ReadingRule) -> LintFinding:
    """Make a finding without an object, from its column to the end of its line."""
    problem, mark = printable(str(fault.problem)), fault.mark
    lines = source.content.splitlines()
    line = lines[mark.line - 1].decode(errors="replace") if mark.line <= len(lines) else ""
    column = mark.column or len(line) - len(line.lstrip()) + 1
    return LintFinding(
        rule=rule,
        severity=LintSeverity.ERROR,
        start=Mark(source.shown_as, mark.line, column),
        end=Mark(source.shown_as, mark.line, max(len(line.rstrip()), column) + 1),
        message=f"{problem[:1].upper()}{problem[1:].removesuffix('.')}.",
    )


def json_fault(content: bytes, shown_as: str) -> Fault | None:
    """Return why a file called `.json` is not JSON, though it may be YAML with another meaning.

    None of others, and where YAML says more: of other encodings, and of nesting too deep to read.
    """
    if not shown_as.endswith(".json") or not content.strip():
        return None
    try:
        json.loads(content.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        mark = Mark(shown_as, error.lineno, error.colno)
        return Fault(mark, Problem((), f"invalid JSON: {error.msg}"))
    except (UnicodeDecodeError, RecursionError):
        return None
    return None


def unknown_namespaces(
    placed: Iterable[tuple[str, Document]],
    judges: Sequence[ClusterJudge],
    stated: str | None = None,
    *,
    is_final: bool = True,
) -> Iterator[ObjectFinding]:
    """Yield a finding for each of these objects that is in no namespace of a team.

    `stated` takes the place of what they name. Naming none is no finding unless the manifests
    are final, as a base and a chart are given their namespace later; nor is any where
    clusters have no teams.
    """
    settings = [each.rules.engine.settings for each in judges]
    known = sorted({namespace for each in settings for namespace in each.namespaces})
    for at, one in placed:
        namespace = stated or namespace_of(one)
        if not known or namespace in known or is_placeholder(namespace):
            continue
        if not namespace:
            if is_final and _is_namespaced(one):
                yield _without_namespace(at, one)
            continue
        if any(is_exempt_namespace(namespace, each) for each in settings):
            continue
        hint = nearest_hint(nearest(namespace, known))
        place, of_option = ("metadata", " of --namespace") if stated else ("metadata/namespace", "")
        yield ObjectFinding(
            ReadingRule.UNKNOWN_NAMESPACE,
            LintSeverity.WARNING,
            object_subject(one),
            f"{at}/{place}",
            f"The namespace {shown(namespace)}{of_option} belongs to no team, so that no quota "
            f"counts its GPUs, and no rule about teams judges it{hint}.",
            "Name a namespace of a team, or have the platform team give it to one.",
            (),
        )


def _is_namespaced(one: Document) -> bool:
    kind = kind_of(one)
    known = workload_kind(kind.group, kind.kind)
    return known is None or known.is_namespaced


def _without_namespace(at: str, one: Document) -> ObjectFinding:
    return ObjectFinding(
        ReadingRule.UNKNOWN_NAMESPACE,
        LintSeverity.WARNING,
        object_subject(one),
        f"{at}/metadata",
        "The object names no namespace, so kubectl uses that of your context.",
        "Write metadata.namespace, or pass --namespace.",
        (),
    )
