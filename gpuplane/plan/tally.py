"""Writes the numbers of a plan on one line."""

from collections import Counter
from collections.abc import Iterable, Iterator

from gpuplane.plan.cost_clauses import comparisons, costs, unpriced
from gpuplane.plan.effect import Change
from gpuplane.plan.gpu_clauses import at_once, by_consent, is_counted, reached, with_verb
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.rollout import NOTHING

_WORDS = {Change.ADDED: "to add", Change.CHANGED: "to change", Change.REMOVED: "to delete"}


def tally(plan: Plan) -> str:
    """Return the numbers of a plan on one line: objects, GPUs that are out, and cost."""
    plans = plan.merged or plan.clusters
    later = tuple(each for each in plan.clusters if each.is_later) if plan.merged else ()
    after = ", ".join(_object_words(later))
    return ", ".join(_tally_words(plans)) + (f"; once promoted: {after}" if after else "")


def _object_words(plans: Iterable[ClusterPlan]) -> Iterator[str]:
    found = Counter(planned.change for each in plans for planned in each.objects)
    return (f"{found[change]} {words}" for change, words in _WORDS.items() if found[change])


def _tally_words(plans: tuple[ClusterPlan, ...]) -> Iterator[str]:
    outages = (outage for each in plans for outage in each.outages)
    found = [each for each in outages if each.is_out and is_counted(each)]
    out = at_once(found)
    gone = tuple(_gone_words(plans))
    yield from _object_words(plans)
    if not gone or out != NOTHING:
        is_possible = out != NOTHING and all(each.is_possible for each in found)
        yield f"{out.words('GPUs')} {'may be ' if is_possible else ''}out"
    yield from (*gone, _cost_words(plans))


def _gone_words(plans: Iterable[ClusterPlan]) -> Iterator[str]:
    gone = (one for each in plans for one in each.outages if one.removes_nodes)
    for found in by_consent(gone):
        when = " once confirmed" if found[0].is_held else ""
        yield f"{with_verb(reached(found), 'go', 'goes')}{when}"


def _cost_words(plans: tuple[ClusterPlan, ...]) -> str:
    if any(each.cost is None for each in plans if not each.let_go):
        return "cost not known"
    found = comparisons(plans)
    known = "; ".join(costs(found))
    if not unpriced(found):
        return known or "+0 USD a month"
    return f"{known}, in part not known" if known else "cost not known"
