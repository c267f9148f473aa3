"""Releases of the machine image that nodes start from."""

import re
from collections.abc import Iterator

from charts_py.cluster_file.driver import DriverOwner
from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.provider import EksProvisioner
from charts_py.platform.draft import Draft
from charts_py.providers.eks.node_image import NEWEST_RELEASES
from charts_py.providers.provisioned_by import is_provisioned_by

_PATH = ("eks", "imageRelease")
_UBUNTU_SERIAL = r"20[0-9]{6}(\.[0-9]+)?"
"""https://documentation.ubuntu.com/aws/aws-how-to/instances/find-ubuntu-images/"""


def check_image_release(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a release that is not one of the cluster's image, or is missing."""
    if not (draft.has_provider_settings and draft.has_driver_owner):
        return
    if draft.driver_owner is DriverOwner.OPERATOR:
        yield from _of_ubuntu(draft)
    elif draft.is_read(("kubernetes",)):
        yield from _of_amazon_linux(draft)


def _of_amazon_linux(draft: Draft) -> Iterator[Problem]:
    release, version = _release(draft), draft.cluster.kubernetes
    allowed = rf"^{re.escape(version)}\.[0-9]+-20[0-9]{{6}}$"
    if release is None and version not in NEWEST_RELEASES:
        what = f"missing; no release of Amazon Linux for Kubernetes {version} is known"
        yield Problem(_PATH, what, allowed)
    if release is not None and not re.fullmatch(allowed, release):
        what = f'"{release}" is not a release of Amazon Linux for Kubernetes {version}'
        yield Problem(_PATH, what, allowed)


def _of_ubuntu(draft: Draft) -> Iterator[Problem]:
    release = _release(draft)
    if is_provisioned_by(draft, EksProvisioner.EKSCTL):
        if release is not None:
            what = "eksctl takes the newest Ubuntu for a node group, which then keeps it"
            yield Problem(_PATH, what, "nothing")
    elif release is None:
        what = f'missing; the driver\'s owner is "{DriverOwner.OPERATOR}", so nodes run Ubuntu'
        yield Problem(_PATH, what, f"^{_UBUNTU_SERIAL}$")
    elif not re.fullmatch(_UBUNTU_SERIAL, release):
        what = f'"{release}" is not a serial of Ubuntu'
        yield Problem(_PATH, what, f"^{_UBUNTU_SERIAL}$")


def _release(draft: Draft) -> str | None:
    assert draft.cluster.eks is not None  # noqa: S101 # it has provider settings
    return draft.cluster.eks.image_release
