"""The figure of the GPUs that are out, and what its note adds."""

import pytest

from gpuplane.fleet_report.answer import answer
from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.plan.outage import Outage, PoolNodes
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.rollout import Mechanism, Rollout, exactly
from gpuplane.versions.comparison import Subject
from tests.gpuplane.versions.bases import MAIN


def _outage(pool: str, mechanism: Mechanism, **fields: object) -> Outage:
    rollout = Rollout(mechanism, pool, needs_room=mechanism is Mechanism.DRIFT)
    return Outage(rollout, (PoolNodes("lab", pool, exactly(1), 8),), **fields)  # type: ignore[arg-type] # as rows name them


def _plan(*outages: Outage, unsized: tuple[str, ...] = ()) -> ClusterPlan:
    return ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", outages=outages, unsized=unsized)


OUT = _outage("cargo", Mechanism.MIG_LABEL)
STAYING = _outage("a100", Mechanism.DRIFT, unplaceable=("nvidia.com/gpu",), moves_none=True)


@pytest.mark.parametrize(
    ("plan", "words", "note"),
    [
        pytest.param(_plan(OUT), "8", "", id="the figure alone says how many are out"),
        pytest.param(
            _plan(OUT, STAYING),
            "8",
            "nodes of lab/a100 stay as they are while pods run there that fit nowhere else",
            id="nodes that stay are told beside GPUs that are out",
        ),
        pytest.param(
            _plan(OUT, unsized=("lab/l4",)),
            "8",
            "how many GPUs of lab/l4 is not known",
            id="so is a pool whose size is not known",
        ),
        pytest.param(
            _plan(_outage("cargo", Mechanism.SCALE_IN)),
            "8",
            "8 GPUs go for good",
            id="GPUs that go are in the figure, and told",
        ),
        pytest.param(
            _plan(_outage("cargo", Mechanism.SCALE_IN, is_held=True)),
            "0",
            "8 GPUs go for good when somebody confirms it",
            id="GPUs that go once somebody confirms it are told, and not in the figure",
        ),
        pytest.param(
            _plan(OUT, _outage("a100", Mechanism.SCALE_IN, is_held=True)),
            "8",
            "8 GPUs go for good when somebody confirms it",
            id="so are they beside GPUs that are out",
        ),
        pytest.param(
            _plan(_outage("cargo", Mechanism.RECREATION)),
            "0",
            "making lab/cargo anew would take 8 GPUs out, for at least 5 minutes",
            id="GPUs that only a pool made anew misses are not in the figure",
        ),
        pytest.param(_plan(), "0", "", id="that no GPU is out is no note"),
    ],
)
def test_the_note_adds_what_the_figure_does_not_say(
    fleet: Fleet, plan: ClusterPlan, words: str, note: str
) -> None:
    (figure, _) = answer(fleet, Plan(MAIN, (plan,), ()), ()).gpus
    assert (figure.words, figure.note) == (words, note)
