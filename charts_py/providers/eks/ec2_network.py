"""The network interfaces of machines with Elastic Fabric Adapters."""

from collections.abc import Mapping

from charts_py.platform.platform import PlatformPool
from gpus.interconnect import Interconnect

_CARDS_WITHOUT_EFA: Mapping[str, int] = {"p6-b300.48xlarge": 1}
"""How many network cards, from the first, take no adapter: 17 cards and 16 adapters there, as many
of both elsewhere (https://github.com/aws/karpenter-provider-aws
pkg/providers/instancetype/zz_generated.vpclimits.go)."""


def network_interfaces(pool: PlatformPool) -> list[dict[str, object]]:
    """Return the interfaces for an EC2NodeClass; none where the pool does not use EFA.

    The primary one carries IP; beside it every card has one for EFA alone, the device 1 of the
    primary's card and 0 of any other.
    https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-acc-inst-types.html
    """
    if pool.hardware.interconnect is not Interconnect.EFA:
        return []
    first = _CARDS_WITHOUT_EFA.get(pool.spec.instance_type or "", 0)
    cards = range(first, first + pool.hardware.interconnect_interfaces)
    return [
        _interface(card=0, device=0, interface_type="interface"),
        *(_interface(card, 1 if card == 0 else 0, "efa-only") for card in cards),
    ]


def _interface(card: int, device: int, interface_type: str) -> dict[str, object]:
    return {"networkCardIndex": card, "deviceIndex": device, "interfaceType": interface_type}
