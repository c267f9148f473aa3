"""DistributedTraining, a training job in a few lines that are right for every cluster.

It is a resource without a controller: `gpuplane expand` prints the TrainJob and the volumes that
one stands for on a cluster. In the cluster it is known so that editors and `kubectl explain` know
its fields; whoever applies one is warned that nothing comes of it.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, get_args

from charts_py.cluster_file.training import DistributedTraining
from charts_py.components.admission_policy import Policy, policy_objects, requests
from charts_py.components.definition import Definition
from charts_py.components.object_table import read_objects
from charts_py.objects.document import Document
from charts_py.platform.contribution import Access, Contribution, Use
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from gpus.platform_names import LABEL_PREFIX
from policies.in_cel.action import Action

Schema: TypeAlias = Mapping[str, Any]
_API_VERSION, _KIND = (
    get_args(DistributedTraining.model_fields[field].annotation)[0]
    for field in ("api_version", "kind")
)
GROUP, _, VERSION = _API_VERSION.partition("/")
PLURAL = f"{_KIND.lower()}s"
_KEPT = ("type", "description", "enum", "default", "pattern", "minimum", "maximum", "minLength")
_UNUSED = (
    "Nothing in the cluster acts on it: gpuplane expand prints the TrainJob and the volumes that "
    "it stands for."
)
UNEXPANDED = Policy(
    name=f"unexpanded-training.{LABEL_PREFIX}",
    rule=requests(GROUP, PLURAL, version=VERSION),
    validations=(
        {
            "expression": "false",
            "message": "nothing in the cluster acts on a DistributedTraining; apply what "
            "`gpuplane expand FILE --cluster CLUSTER` prints",
        },
    ),
    action=Action.WARN,
)
"""Warns whoever applies a DistributedTraining as it is, since nothing would come of it."""


def custom_resource_definition() -> Document:
    """Return the definition that follows from the model which reads a DistributedTraining.

    The API server checks by it what is applied, and `kubectl explain` shows its fields. Schemas
    there are structural: without references, and without `additionalProperties` beside
    `properties`.
    https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
    """
    schema = DistributedTraining.model_json_schema(by_alias=True)
    (definition,) = read_objects(
        __package__,
        "distributed_training",
        group=GROUP,
        version=VERSION,
        kind=_KIND,
        plural=PLURAL,
        singular=_KIND.lower(),
        description=f"{schema['description']} {_UNUSED}",
        spec=_structural(schema["$defs"]["Spec"], schema["$defs"]),
    )
    return definition


def _structural(schema: Schema, known: Schema) -> dict[str, Any]:
    """Return a schema without references, and without the alternative that the value is null."""
    given = [each for each in schema.get("anyOf", ()) if each.get("type") != "null"]
    referred = known[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else {}
    merged = {**referred, **(given[0] if given else {}), **schema}
    kept = {key: merged[key] for key in _KEPT if merged.get(key) is not None}
    if "items" in merged:
        kept["items"] = _structural(merged["items"], known)
    if "properties" in merged:
        properties = merged["properties"].items()
        kept["properties"] = {name: _structural(each, known) for name, each in properties}
        kept["required"] = list(merged.get("required", ()))
    return kept


def _objects(_: Platform) -> Iterator[Document]:
    yield custom_resource_definition()
    yield from policy_objects((UNEXPANDED,))


DISTRIBUTED_TRAINING = Definition(
    name="distributed-training",
    description=__doc__,
    appears="where the cluster has `training.trainer`",
    is_wanted=lambda platform: platform.cluster.training.trainer is not None,
    fields=("training",),
    depends_on=("namespaces",),
    wave=Wave.CONFIGURATION,
    objects=_objects,
    contribution=Contribution(access=(Access(GROUP, (PLURAL,), Use.RUN),)),
)
