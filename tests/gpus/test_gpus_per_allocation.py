from fractions import Fraction

import pytest

from gpus.catalog import load_catalog
from gpus.gpus_per_allocation import gpus_per_allocation, node_part
from gpus.interconnect import Interconnect
from gpus.pool_facts import Advertiser, PoolFacts, PoolQuery, ResourceNaming, read_pool
from gpus.provider_taints import ProviderTaints
from gpus.purchase import Purchase
from gpus.sharing import Sharing

CATALOG = load_catalog()
SEVEN = Sharing(mig=(("1g.10gb", 7),))
SHARED_SEVEN = Sharing(mig=(("1g.10gb", 7),), time_slicing=4)
MIXED = Sharing(mig=(("1g.10gb", 2), ("2g.20gb", 1), ("3g.40gb", 1)))


def facts_of(sharing: Sharing, naming: ResourceNaming) -> PoolFacts:
    return read_pool(
        PoolQuery(
            pool="train",
            model=CATALOG.model("A100-SXM-80"),
            gpus_per_node=8,
            sharing=sharing,
            purpose="training",
            purchase=Purchase.ON_DEMAND,
            interconnect=Interconnect.ETHERNET,
            advertiser=Advertiser.OPERATOR,
            naming=naming,
            uniform_mig=False,
            provider_taints=ProviderTaints(),
        ),
        CATALOG,
    )


@pytest.mark.parametrize(
    ("sharing", "naming", "parts"),
    [
        (Sharing(), ResourceNaming.OWN, {"nvidia.com/gpu": Fraction(1)}),
        (Sharing(time_slicing=4), ResourceNaming.OWN, {"nvidia.com/gpu.shared": Fraction(1, 4)}),
        (Sharing(mps=8), ResourceNaming.WHOLE, {"nvidia.com/gpu": Fraction(1, 8)}),
        (SEVEN, ResourceNaming.OWN, {"nvidia.com/mig-1g.10gb": Fraction(1, 7)}),
        (SEVEN, ResourceNaming.WHOLE, {"nvidia.com/gpu": Fraction(1, 7)}),
        (SHARED_SEVEN, ResourceNaming.OWN, {"nvidia.com/mig-1g.10gb.shared": Fraction(1, 28)}),
        (
            MIXED,
            ResourceNaming.OWN,
            {
                "nvidia.com/mig-1g.10gb": Fraction(1, 7),
                "nvidia.com/mig-2g.20gb": Fraction(2, 7),
                "nvidia.com/mig-3g.40gb": Fraction(3, 7),
            },
        ),
        (MIXED, ResourceNaming.WHOLE, {"nvidia.com/gpu": Fraction(1, 4)}),
        (
            Sharing(mig=(("3g.40gb", 2),)),
            ResourceNaming.OWN,
            {"nvidia.com/mig-3g.40gb": Fraction(3, 7)},
        ),
    ],
)
def test_an_allocation_is_a_gpu_or_a_part_of_one(
    sharing: Sharing, naming: ResourceNaming, parts: dict[str, Fraction]
) -> None:
    facts = facts_of(sharing, naming)
    assert {each.name: gpus_per_allocation(facts, each) for each in facts.resources} == parts


def test_all_allocations_of_a_node_are_its_gpus_unless_slices_are_left_over() -> None:
    def together(sharing: Sharing) -> Fraction:
        facts = facts_of(sharing, ResourceNaming.OWN)
        return sum(
            (each.per_node * gpus_per_allocation(facts, each) for each in facts.resources),
            Fraction(),
        )

    assert [together(each) for each in (Sharing(), SHARED_SEVEN, MIXED)] == [8, 8, 8]
    assert together(Sharing(mig=(("3g.40gb", 2),))) == 8 * Fraction(6, 7)


@pytest.mark.parametrize("naming", ResourceNaming)
@pytest.mark.parametrize(
    "sharing", [Sharing(), SHARED_SEVEN, MIXED, Sharing(mig=(("3g.40gb", 2),))]
)
def test_all_that_a_node_offers_shares_it_out(sharing: Sharing, naming: ResourceNaming) -> None:
    facts = facts_of(sharing, naming)
    assert sum(each.per_node * node_part(facts, each) for each in facts.resources) == 1
