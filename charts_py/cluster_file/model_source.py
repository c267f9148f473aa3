"""Where the weights of a model can be read from: a bucket, or a repository of Hugging Face."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from charts_py.cluster_file.strict_model import Refused

PATH = r"(?:/[\w.=-]+)+/?"
BUCKET = re.compile(rf"(?:s3|gs)://[a-z0-9][a-z0-9._-]{{1,61}}[a-z0-9]{PATH}", re.ASCII)
CONTAINER = re.compile(
    rf"https://(?P<account>[a-z0-9]{{3,24}})\.blob\.core\.windows\.net"
    rf"/(?P<path>[a-z0-9-]{{3,63}}{PATH})",
    re.ASCII,
)
_REPOSITORY = re.compile(r"\w[\w.-]*/\w[\w.-]*(?:@\w[\w.-]*)?", re.ASCII)
_SOURCES = (
    "s3://BUCKET/PATH, gs://BUCKET/PATH, https://ACCOUNT.blob.core.windows.net/CONTAINER/PATH, or "
    "OWNER/NAME or OWNER/NAME@REVISION of Hugging Face"
)


def _source(text: str) -> str:
    if not any(one.fullmatch(text) for one in (BUCKET, CONTAINER, _REPOSITORY)):
        raise Refused(f'"{text}" is no place of weights', _SOURCES)
    return text


ModelSource = Annotated[
    str,
    AfterValidator(_source),
    Field(examples=["s3://models-example/qwen3-32b", "Qwen/Qwen3-32B@main"]),
]


def is_bucket(source: str) -> bool:
    return "://" in source
