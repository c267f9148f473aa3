"""Writes what objects do to what runs that no figure shows: alike ones in one clause."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from charts_py.cluster_file.fault import counted
from charts_py.components.admission_policies.definition import ADMISSION_POLICIES
from charts_py.platform.policy_settings import policy_settings
from gpuplane.plan.admission_change import admission_clauses
from gpuplane.plan.effect import PlannedObject, Verdict
from gpuplane.plan.fields import segments_of
from gpuplane.plan.gpu_clauses import CONSENT
from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.restart_words import MAX_NAMED, listed
from gpuplane.plan.stricter_rules import enforced_rules
from gpuplane.versions.comparison import PlacedObject
from policies.document import few


@dataclass(frozen=True, slots=True)
class _Told:
    """What is told of an object; `{labels}` are those of the fields that it is about."""

    verdict: Verdict
    text: str
    labels: tuple[str, ...]
    is_held: bool


def object_clauses(
    plans: Iterable[ClusterPlan], least: Verdict = Verdict.DEFERRED
) -> Iterator[str]:
    """Yield the clauses, the gravest first; of many the last ones are counted."""
    found: dict[_Told, dict[tuple[str, PlacedObject], None]] = {}
    for plan in plans:
        names_rules = _names_rules(plan)
        for planned in plan.objects:
            # The rules that begin to refuse make these objects.
            if not (names_rules and planned.placed.component == ADMISSION_POLICIES.name):
                for told in (each for each in _told(planned) if each.verdict >= least):
                    found.setdefault(told, {})[plan.cluster, planned.placed] = None
    gravest = sorted(found, key=lambda each: -each.verdict)
    yield from (_clause(each, [*found[each]]) for each in gravest[:MAX_NAMED])
    yield from _rest({each: len(found[each]) for each in gravest[MAX_NAMED:]})


def _rest(left: Mapping[_Told, int]) -> Iterator[str]:
    """Yield how many objects disturb what runs, and how many only what starts."""
    disturbing = sum(count for each, count in left.items() if each.verdict > Verdict.DEFERRED)
    if disturbing:
        yield f"{counted(disturbing, 'more object')} can disturb what runs"
    if deferring := sum(left.values()) - disturbing:
        yield f"{counted(deferring, 'more object')} can refuse or hold back what starts"


def _told(planned: PlannedObject) -> Iterator[_Told]:
    texts: dict[tuple[Verdict, str], list[str]] = {}
    for each in planned.effects:
        if each.told and each.verdict > Verdict.SAFE:
            texts.setdefault((each.verdict, each.told), []).append(each.field)
    for (verdict, text), fields in texts.items():
        labels = tuple(segments_of(each)[-1] for each in fields) if "{labels}" in text else ()
        yield _Told(verdict, text, labels, planned.is_held)


def _names_rules(plan: ClusterPlan) -> bool:
    """Say whether a clause names the rules that begin to refuse, or who judges by them."""
    if plan.before is None or plan.asked is None:
        return False
    old, new = (policy_settings(side) for side in (plan.before, plan.asked))
    judged = admission_clauses(plan.before, plan.asked)
    return any(True for _ in (*judged, *enforced_rules(old, new, plan.cluster)))


def _clause(told: _Told, objects: list[tuple[str, PlacedObject]]) -> str:
    text = told.text.format(
        bindings=counted(len(objects), "more admission policy"),
        clusters=listed(cluster for cluster, _ in objects),
        places=listed(_place(cluster, placed) for cluster, placed in objects),
        labels=few(told.labels),
    )
    return f"{text}{CONSENT[told.is_held]}"


def _place(cluster: str, placed: PlacedObject) -> str:
    is_namespace = placed.key.kind == "Namespace"
    namespace = placed.key.name if is_namespace else placed.key.namespace
    return "/".join(filter(None, (cluster, namespace)))
