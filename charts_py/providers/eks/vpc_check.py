"""The VPC that eksctl makes node groups in, where it did not make the cluster."""

import re
from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.provider import EksProvisioner, EksVpc
from charts_py.platform.draft import Draft, DraftPool
from charts_py.providers.provisioned_by import is_provisioned_by

_PATH = ("eks", "vpc")


def check_vpc(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a VPC that nothing reads, or that lacks a subnet of a pool's zone."""
    vpc = draft.cluster.eks.vpc if draft.cluster.eks else None
    if vpc is None or not draft.is_whole(_PATH):
        return
    if is_provisioned_by(draft, EksProvisioner.KARPENTER):
        what = "Karpenter finds subnets and security groups by their tags"
        yield Problem(_PATH, what, f'only with provisioner "{EksProvisioner.EKSCTL}"')
    if is_provisioned_by(draft, EksProvisioner.EKSCTL):
        yield from _of_other_regions(draft, vpc)
        for pool in draft.pools:
            yield from _without_subnet(draft, pool, vpc)


def _of_other_regions(draft: Draft, vpc: EksVpc) -> Iterator[Problem]:
    region = draft.cluster.region
    if not draft.is_read(("region",)) or not re.fullmatch(draft.provider.region_pattern, region):
        return
    pattern = draft.provider.zone_pattern.replace("{region}", region)
    for zone in vpc.subnets:
        if not re.fullmatch(pattern, zone):
            what = f'"{zone}" is not a zone of {region}'
            yield Problem((*_PATH, "subnets", zone), what, f"^{pattern}$")


def _without_subnet(draft: Draft, pool: DraftPool, vpc: EksVpc) -> Iterator[Problem]:
    for index, zone in enumerate(pool.spec.zones):
        path = (*pool.path, "zones", index)
        if zone not in vpc.subnets and draft.is_read(path):
            what = f'eks.vpc.subnets has none in "{zone}"'
            yield Problem(path, what, ", ".join(vpc.subnets))
