"""The network interfaces of machines with Elastic Fabric Adapters."""

from charts_py.platform.hardware import NodeHardware
from gpus.interconnect import Interconnect


def network_interfaces(hardware: NodeHardware) -> list[dict[str, object]]:
    """Return the interfaces for an EC2NodeClass; none where the nodes do not use EFA.

    The primary one carries IP; beside it every card has one for EFA alone, the device 1 of the
    primary's card and 0 of any other.
    https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-acc-inst-types.html
    """
    if hardware.interconnect is not Interconnect.EFA:
        return []
    first = hardware.machine.rdma_first_card if hardware.machine else 0
    cards = range(first, first + hardware.interconnect_interfaces)
    return [
        _interface(card=0, device=0, interface_type="interface"),
        *(_interface(card, 1 if card == 0 else 0, "efa-only") for card in cards),
    ]


def _interface(card: int, device: int, interface_type: str) -> dict[str, object]:
    return {"networkCardIndex": card, "deviceIndex": device, "interfaceType": interface_type}
