"""The networks that GPUs of different nodes talk over."""

from __future__ import annotations

from enum import StrEnum


class Interconnect(StrEnum):
    """The network between the nodes of a pool that GPUs talk over."""

    ETHERNET = "ethernet"
    EFA = "efa"
    GPUDIRECT_TCPX = "gpudirect-tcpx"
    GPUDIRECT_TCPXO = "gpudirect-tcpxo"
    ROCE = "roce"
    INFINIBAND = "infiniband"
