"""Objects of a component that say much and decide little, as a table beside its module lists them.

Its placeholders are filled as those of other tables are, `charts_py/metrics/table.py`.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any

from charts_py.metrics.table import load_table, read_table
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import Contribution
from charts_py.platform.platform import PlatformPool


def read_objects(package: str, name: str = "objects", /, **values: object) -> Iterator[Document]:
    """Yield the objects of a table, each with the label of all that gpuplane describes.

    A field or an item is left out where its value is None. Raises TableError where a placeholder is
    not filled, or a value not used.
    """
    table = without_nulls(read_table(files(package) / f"{name}.yaml", **values))
    for each in table["objects"]:
        metadata = ObjectMeta(**each.pop("metadata"))
        yield object_of(each.pop("apiVersion"), each.pop("kind"), metadata, each)


def requests_of(package: str, name: str) -> Mapping[str, str]:
    """Return what each pod of a table's one workload requests, which has one container."""
    (workload,) = load_table(files(package) / f"{name}.yaml")["objects"]
    (container,) = workload["spec"]["template"]["spec"]["containers"]
    requests: Mapping[str, str] = container["resources"]["requests"]
    return requests


def daemons_on(pools: Iterable[PlatformPool], requests: Mapping[str, str]) -> Contribution:
    return Contribution(daemons=tuple((pool.name, requests) for pool in pools))


def without_nulls(content: Any) -> Any:
    """Return content without the keys and the items whose value is None."""
    if isinstance(content, dict):
        return {key: without_nulls(each) for key, each in content.items() if each is not None}
    if isinstance(content, list):
        return [without_nulls(each) for each in content if each is not None]
    return content
