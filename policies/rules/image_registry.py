"""Images of GPU pods come from registries that the platform trusts.

Flaws of the container toolkit such as CVE-2024-0132 are exploited by the contents of an image:
https://nvidia.custhelp.com/app/answers/detail/a_id/5582
"""

from collections.abc import Iterable, Iterator
from functools import partial

from policies.cel.text import quote, shown_in_cel, texts
from policies.cel.variables import Variables
from policies.document import shown
from policies.finding import Finding
from policies.image import DEFAULT_REGISTRY, OFFICIAL, Image, UsedImage, wrong_images
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import Settings

_ELSEWHERE = Message(
    "The {culprit}{use}, which is not from an allowed registry.",
    "Use an image below one of: {registries}.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    registries = context.settings.registries
    images = wrong_images(pod, partial(is_from, registries=registries))
    return _refusals(images, ", ".join(registries)) if images else ()


def _refusals(images: Iterable[UsedImage], registries: str) -> Iterator[Finding]:
    for path, culprit, use, name in images:
        used = f" {use} {shown(name)}"
        yield RULE.finding(_ELSEWHERE, path=path, culprit=culprit, use=used, registries=registries)


def is_from(image: Image, registries: tuple[str, ...]) -> bool:
    for registry in registries:
        prefix = registry.rstrip("/")
        if image.repository == prefix or image.repository.startswith(f"{prefix}/"):
            return True
    return False


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
    f" ? {quote(f'{DEFAULT_REGISTRY}/')} + path"
    f" : {quote(f'{DEFAULT_REGISTRY}/{OFFICIAL}/')} + path)"
)
_IS_ALLOWED = (
    f"{_REPOSITORY}.exists(repository, variables.image_registry_allowed.exists(prefix,"
    ' repository == prefix || repository.startsWith(prefix + "/")))'
)


def _variables(settings: Settings) -> Variables:
    return {"image_registry_allowed": texts(each.rstrip("/") for each in settings.registries)}


def _refusals_in_cel(settings: Settings) -> str:
    found = _ELSEWHERE.filled(registries=", ".join(settings.registries)).in_cel(
        culprit="each[0]", use=shown_in_cel("each[1]")
    )
    return (
        f"variables.images.filter(each, ![each[1]].exists(image, {_IS_ALLOWED})).map(each, {found})"
    )


RULE: Rule = Rule(
    RuleName.IMAGE_REGISTRY,
    summary="Images of a GPU pod come from allowed registries.",
    evaluate=evaluate,
    applies=lambda settings: bool(settings.registries),
    in_cel=InCel(refusals=_refusals_in_cel, variables=_variables),
)
