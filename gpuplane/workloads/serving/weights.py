"""Where the weights of a model are: on a hub, in a folder, in a bucket, in an image, on nodes."""

import re
from dataclasses import dataclass
from enum import Enum, auto

from charts_py.cluster_file.model_source import BUCKET, CONTAINER, PATH

MOUNTED = "/weights"
"""Where an image with weights is mounted, or what nodes keep."""
ALLOWED = (
    "an id on Hugging Face such as Qwen/Qwen3-32B, a path below /data with --data, "
    "s3://BUCKET/PATH, gs://BUCKET/PATH, https://ACCOUNT.blob.core.windows.net/CONTAINER/PATH, "
    "oci://IMAGE:TAG, cache://NAME, or models:/NAME@ALIAS of the model registry"
)
_BUCKETS = "BUCKET having 3 to 63 of a-z, 0-9, -, . and _"
_PARTS = "each part of PATH having letters, digits, _, ., = and -"
_OF_SCHEME = {
    "s3://": f"s3://BUCKET/PATH, {_BUCKETS}, and {_PARTS}",
    "gs://": f"gs://BUCKET/PATH, {_BUCKETS}, and {_PARTS}",
    "https://": (
        "https://ACCOUNT.blob.core.windows.net/CONTAINER/PATH, ACCOUNT having 3 to 24 of a-z and "
        f"0-9, CONTAINER 3 to 63 of these and -, and {_PARTS}"
    ),
    "models:": (
        "models:/NAME@ALIAS or models:/NAME/VERSION of the model registry, and a path or none, "
        "NAME having letters, digits, _, . and -"
    ),
    "oci://": "oci://REGISTRY/IMAGE:TAG or oci://REGISTRY/IMAGE@sha256:DIGEST, and a path or none",
    "cache://": "cache://NAME, a model of serving.nodeCache in the cluster file",
}
_HUB = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?", re.ASCII)
_PAGE = re.compile(r"(https://(huggingface\.co|hf\.co)/|hf://)(?P<id>[\w.-]+/[\w.-]+)", re.ASCII)
_FOLDER = re.compile(r"/[\w./-]+", re.ASCII)
_KEPT = re.compile(r"cache://(?P<name>[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?)", re.ASCII)
_IMAGE = re.compile(
    r"oci://(?P<image>[\w.-]+(?::\d+)?(?:/[\w.-]+)+"
    r"(?::\w[\w.-]{0,127}|(?::\w[\w.-]{0,127})?@sha256:[0-9a-f]{64}))"
    rf"(?P<folder>{PATH})?",
    re.ASCII,
)


def allowed_weights(text: str) -> str:
    """Return what is allowed in place of a text that means no weights, by how it begins."""
    if found := _PAGE.match(text):
        return f"{found['id']}, an id on Hugging Face"
    return next((said for scheme, said in _OF_SCHEME.items() if text.startswith(scheme)), ALLOWED)


class Source(Enum):
    """What holds weights."""

    HUB = auto()
    FOLDER = auto()
    BUCKET = auto()
    IMAGE = auto()
    NODES = auto()


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights as they are asked for; `str` shows them so."""

    text: str
    source: Source
    path: str
    """By which an engine is told of them."""
    image: str = ""
    """What is mounted, for those of an image."""
    account: str = ""
    """The storage account of a container of Azure."""
    kept: str = ""
    """The name of a model that nodes keep."""

    def __str__(self) -> str:
        return self.text

    @property
    def name(self) -> str:
        """The last part of a name, which often says of which model they are."""
        return re.split("[:@]", (self.image or self.text).rstrip("/").rpartition("/")[2])[0]


def read_weights(text: str) -> Weights | None:
    """Return what a text means, or None where it means no weights."""
    if found := _IMAGE.fullmatch(text):
        path = MOUNTED + (found["folder"] or "")
        return Weights(text, Source.IMAGE, path, image=found["image"])
    if found := _KEPT.fullmatch(text):
        return Weights(text, Source.NODES, MOUNTED, kept=found["name"])
    if found := CONTAINER.fullmatch(text):
        return Weights(text, Source.BUCKET, f"az://{found['path']}", account=found["account"])
    sources = {BUCKET: Source.BUCKET, _FOLDER: Source.FOLDER, _HUB: Source.HUB}
    for expression, source in sources.items():
        if expression.fullmatch(text):
            return Weights(text, source, text)
    return None
