"""Where Argo CD gets Helm charts from."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from charts_py.cluster_file.image_name import PART, REGISTRY
from charts_py.cluster_file.refused import Refused
from charts_py.cluster_file.strict_model import StrictModel

_OCI = "oci://"
_EXAMPLES = ("https://charts.example.com/gpu", "oci://registry.example.com/charts")


def _repository(text: str) -> str:
    scheme, _, place = text.rpartition("://")
    if scheme not in ("https", "oci"):
        allowed = " or ".join(f"{each}://{place}" for each in ("https", "oci"))
        what = f"the scheme {scheme}" if scheme else "no scheme"
        raise Refused(f'"{text}" has {what}', allowed)
    if text.endswith("/"):
        raise Refused(f'"{text}" ends in a slash', text.rstrip("/"))
    path = PART if scheme == "oci" else "[A-Za-z0-9._~-]+"
    if not re.fullmatch(rf"{REGISTRY}(/{path})*", place):
        raise Refused(f'"{text}" has the wrong format', f"one such as {' or '.join(_EXAMPLES)}")
    return text


ChartRepository = Annotated[str, AfterValidator(_repository), Field(examples=list(_EXAMPLES))]
"""A Helm repository, or the folder of an OCI registry."""


class Charts(StrictModel):
    """Where Argo CD gets the platform's Helm charts from."""

    mirror: ChartRepository | None = None
    """Repository that has every chart under its own name and pinned version, be it a Helm
    repository, `https://`, or a folder of an OCI registry, `oci://`. By default each chart comes
    from where its project publishes it."""

    @property
    def repository(self) -> str | None:
        """The mirror as an Application names it: an OCI registry without its scheme.

        https://argo-cd.readthedocs.io/en/stable/user-guide/helm/#declarative
        """
        return None if self.mirror is None else self.mirror.removeprefix(_OCI)
