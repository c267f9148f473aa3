"""The kind of a node pool that Config Connector makes, and what of it is never changed."""

from collections.abc import Mapping
from typing import Any

_GROUP = "container.cnrm.cloud.google.com"
API_VERSION = f"{_GROUP}/v1beta1"
KIND = "ContainerNodePool"

IGNORE_DIFFERENCES: Mapping[str, Any] = {
    "group": _GROUP,
    "kind": KIND,
    "jsonPointers": ["/spec/initialNodeCount"],
}
"""What a pool started with counts when it is created, and never again: with another value Config
Connector would fail each update of the pool as one that has to recreate it
(https://github.com/GoogleCloudPlatform/k8s-config-connector, pkg/controller/tf at v1.155.1)."""
