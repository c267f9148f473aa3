"""What reaches the API server needs its addresses, which the cluster file lists."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.platform.draft import Draft

_ADDRESSES = ("network", "apiServer")


def check_known_addresses(draft: Draft, path: FieldPath) -> Iterator[Problem]:
    """Yield a problem at a field that asks for what reaches an API server without addresses."""
    if not draft.cluster.network.api_server and draft.is_read(_ADDRESSES):
        what = "the cluster file does not say where the API server is"
        yield Problem(path, what, f"only where `{'.'.join(_ADDRESSES)}` lists its addresses")
