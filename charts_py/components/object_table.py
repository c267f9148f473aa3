"""Objects of a component that say much and decide little, as a table beside its module lists them.

Its placeholders are filled as those of other tables are, `charts_py/metrics/table.py`.
"""

from collections.abc import Iterable, Iterator
from importlib.resources import files

from charts_py.metrics.table import read_table
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import pull_secrets


def read_objects(
    package: str,
    name: str = "objects",
    /,
    *,
    pull_secret_names: Iterable[str] = (),
    **values: object,
) -> Iterator[Document]:
    """Yield the objects of a table, each with the label of all that gpuplane describes.

    Templates of pods name the secrets that their images are pulled with. Raises TableError where a
    placeholder is not filled, or a value not used.
    """
    secrets = pull_secrets(pull_secret_names)
    for each in read_table(files(package) / f"{name}.yaml", **values)["objects"]:
        template = each.get("spec", {}).get("template")
        if template is not None:
            template["spec"] = {**secrets, **template["spec"]}
        metadata = ObjectMeta(**each.pop("metadata"))
        yield object_of(each.pop("apiVersion"), each.pop("kind"), metadata, each)
