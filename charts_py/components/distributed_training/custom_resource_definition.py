"""The CustomResourceDefinition of DistributedTraining, from the model that reads it.

The API server checks what is applied by it, and `kubectl explain` shows its fields. Schemas there
are structural: without references, and without `additionalProperties` beside `properties`.
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
"""

from collections.abc import Mapping
from typing import Any, TypeAlias, get_args

from charts_py.cluster_file.distributed_training import DistributedTraining
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of

Schema: TypeAlias = Mapping[str, Any]

_API_VERSION, _KIND = (
    get_args(DistributedTraining.model_fields[field].annotation)[0]
    for field in ("api_version", "kind")
)
GROUP, _, VERSION = _API_VERSION.partition("/")
PLURAL = f"{_KIND.lower()}s"

_KEPT = ("type", "description", "enum", "default", "pattern", "minimum", "maximum", "minLength")
_COLUMNS = {"Model": ".spec.model", "Workers": ".spec.workers", "Duration": ".spec.duration"}
_UNUSED = (
    "Nothing in the cluster acts on it: gpuplane expand prints the TrainJob and the volumes that "
    "it stands for."
)


def custom_resource_definition() -> Document:
    """Return it."""
    spec = {
        "group": GROUP,
        "names": {
            "kind": _KIND,
            "listKind": f"{_KIND}List",
            "plural": PLURAL,
            "singular": _KIND.lower(),
        },
        "scope": "Namespaced",
        "versions": [
            {
                "name": VERSION,
                "served": True,
                "storage": True,
                "schema": {"openAPIV3Schema": _whole()},
                "additionalPrinterColumns": [
                    {"name": name, "type": "string", "jsonPath": path}
                    for name, path in _COLUMNS.items()
                ],
            }
        ],
    }
    return object_of(
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        ObjectMeta(f"{PLURAL}.{GROUP}"),
        {"spec": spec},
    )


def _whole() -> Schema:
    """Return the schema of an object, of whose metadata the API server knows the rest."""
    schema = DistributedTraining.model_json_schema(by_alias=True)
    described = f"{schema['description']} {_UNUSED}"
    spec = _structural(schema["$defs"]["Spec"], schema["$defs"])
    return {
        "type": "object",
        "description": described,
        "required": ["spec"],
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            "metadata": {"type": "object"},
            "spec": spec,
        },
    }


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
