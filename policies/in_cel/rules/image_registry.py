"""`policies.rules.image_registry` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.image import DEFAULT_REGISTRY, OFFICIAL
from policies.in_cel.literal import text, texts
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.in_cel.shown import shown
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from policies.settings import Settings

_WITHOUT_TAG = (
    '[image.split("@")[0]].map(named, named.lastIndexOf(":") > named.lastIndexOf("/")'
    ' ? named.substring(0, named.lastIndexOf(":")) : named)'
)
_HAS_REGISTRY = (
    'path.contains("/") && (path.split("/")[0] == "localhost"'
    ' || path.split("/")[0].contains(".") || path.split("/")[0].contains(":"))'
)
_REPOSITORY = (
    f'{_WITHOUT_TAG}.map(path, {_HAS_REGISTRY} ? path : path.contains("/")'
    f" ? {text(f'{DEFAULT_REGISTRY}/')} + path"
    f" : {text(f'{DEFAULT_REGISTRY}/{OFFICIAL}/')} + path)"
)
_IS_ALLOWED = (
    f"{_REPOSITORY}.exists(repository, variables.image_registry_allowed.exists(prefix,"
    ' repository == prefix || repository.startsWith(prefix + "/")))'
)


def _variables(settings: Settings) -> Variables:
    return {"image_registry_allowed": texts(each.rstrip("/") for each in settings.registries)}


def _refusals(settings: Settings) -> str:
    if not settings.registries:
        return ""
    remedy = f"Use an image below one of: {', '.join(settings.registries)}."
    return (
        f"variables.images.filter(each, ![each[1]].exists(image, {_IS_ALLOWED})).map(each,"
        f' "The " + each[0] + {shown("each[1]")}'
        f" + {text(f', which is not from an allowed registry. {remedy}')})"
    )


RULE_IN_CEL = RuleInCel(RuleName.IMAGE_REGISTRY, refusals=_refusals, variables=_variables)
