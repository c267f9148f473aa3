"""What comes next on a chain of clusters."""

import datetime as dt
from dataclasses import replace

import pytest

from gpuplane.release.next_promotions import next_promotions
from gpuplane.release.promotion import PromotionRequest
from tests.gpuplane.release.conftest import NOW, RenderedChain
from tests.gpuplane.versions.conftest import run_git


@pytest.fixture
def grown(rendered: RenderedChain) -> RenderedChain:
    """Since 30 hours, training has 1.2.0, which is not live; serving has another pre-release."""
    rendered.write_fleet(chain=["training", "serving"])
    rendered.render("serving", version="1.0.0-rc.1", live="1.0.0-rc.1")
    rendered.commit(hours_ago=29)
    return rendered


def _said(request: PromotionRequest) -> list[tuple[str, bool, tuple[str, ...]]]:
    found = next_promotions(request).items
    return [(str(each.judgement.move), each.judgement.is_refused, each.verified) for each in found]


def test_a_released_version_comes_next_with_what_was_verified(grown: RenderedChain) -> None:
    count = len([*(grown.dist / "training" / "1.2.0").rglob("*.yaml")])
    assert _said(grown.request()) == [
        (
            "training: 1.1.0 -> 1.2.0",
            False,
            (
                "no cluster of the chain was rolled back from it: training, serving",
                "no freeze and no hold is on",
                f"dist/training/1.2.0 holds the {count} files of its release.json, unchanged",
            ),
        )
    ]


def test_a_shared_change_comes_next_once_the_cluster_before_has_soaked_it(
    rendered: RenderedChain,
) -> None:
    rendered.write_fleet()
    rendered.render("staging", version="1.0.0", live="1.0.0")
    rendered.commit(hours_ago=60)
    rendered.write_fleet("policies: {registries: [registry.example.com/]}\n")
    rendered.write("staging", version="1.1.0", live="1.1.0")
    rendered.render("training", version="1.3.0", live="1.1.0", gpus=16)
    rendered.commit(hours_ago=30)
    request = rendered.request()
    ((move, is_refused, (soaked, *_)),) = _said(request)
    assert (move, is_refused) == ("training: 1.1.0 -> 1.3.0", False)
    assert soaked == "staging has run fleet.yaml policies since 2026-07-09T06:00Z"
    (too_early,) = next_promotions(replace(request, now=NOW - dt.timedelta(hours=7))).items
    (refusal,) = too_early.judgement.refusals
    assert str(refusal) == (
        "chain: staging has run fleet.yaml policies for 23 h of 24 h, since 2026-07-09T06:00Z; "
        "ends at 2026-07-10T06:00Z"
    )


def test_what_a_rule_refuses_waits(grown: RenderedChain) -> None:
    grown.write_fleet(
        "  hold: {reason: waits for it, owner: jo@example.com, until: 2026-07-20}\n", ["training"]
    )
    assert _said(grown.request()) == [("training: 1.1.0 -> 1.2.0", True, ())]


def test_a_version_that_is_not_merged_or_live_already_does_not_come_next(
    grown: RenderedChain,
) -> None:
    run_git(grown.directory, "checkout", "-b", "change")
    grown.render("training", version="1.3.0", live="1.1.0", gpus=24)
    assert _said(grown.request()) == []
    run_git(grown.directory, "checkout", "--force", "main")
    grown.render("training", version="1.2.0", live="1.2.0", gpus=16)
    grown.commit()
    assert _said(grown.request()) == []


def test_it_asks_of_named_clusters_alone(grown: RenderedChain) -> None:
    assert _said(replace(grown.request("serving"), now=NOW)) == []
