"""The Helm charts that components install, as the table `charts.yaml` lists them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct, convert, field

from charts_py.components.chart_versions import chart_version
from charts_py.components.component import HelmRelease
from charts_py.components.controller_sizes import chart_settings, sized_controllers
from charts_py.components.object_table import without_nulls
from charts_py.metrics.table import fill_table, filled, load_table
from charts_py.objects.document import EmittedKind
from charts_py.objects.pods import secret_references
from policies import document

if TYPE_CHECKING:
    from charts_py.platform.platform import Platform
    from charts_py.platform.registry_mirrors import RegistryMirrors

Values: TypeAlias = Mapping[str, Any]

_FILE = files(__package__) / "charts.yaml"
_DIGEST = "sha256:"
_ADMISSION = "admissionregistration.k8s.io"


def known_chart(name: str) -> Chart:
    return _charts()[name]


@cache
def _charts() -> Mapping[str, Chart]:
    table = load_table(_FILE)
    return {name: convert({"name": name, **row}, Chart) for name, row in table.items()}


class Chart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of the table."""

    name: str
    repository: str
    path: str | None = None
    namespaced_kinds: tuple[str, ...]
    cluster_kinds: tuple[str, ...] = ()
    namespaced_kinds_where: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    """Kinds that it renders where values are true, as paths, each with what the chart says."""
    images: tuple[ChartImage, ...]
    ignore_differences: tuple[Mapping[str, Any], ...] = ()
    skips_definitions: bool = False
    controllers: Mapping[str, str] = field(default_factory=dict)
    """Deployments, each with what stops while no replica of it is available."""
    schedulers: tuple[str, ...] = ()
    """Deployments without which no GPU pod of a team starts."""
    other_namespaces: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def has_controllers(self) -> bool:
        """Whether the size of the cluster decides values of it."""
        return any(self.name in each.at for each in sized_controllers().values())

    def stated_values(self, platform: Platform, **decided: object) -> Values:
        """Return the values of a release; `decided` fills the placeholders of its own.

        Raises TableError where a placeholder is not filled, or a value not used.
        """
        common = {
            "platform_priority": platform.cluster.platform_priority,
            "pull_secrets": secret_references(platform.cluster.pull_secret_names),
            "version": chart_version(platform.cluster, self.name),
        }
        values = filled(self.values, common, set())
        stated: Values = without_nulls(fill_table(_FILE, values, {}, **decided))
        return stated

    def release(self, platform: Platform, values: Values) -> HelmRelease:
        """Return a release of the chart, from a mirror where there is one, as are its images.

        Its controllers have their sizes by that of the cluster.

        Raises UpstreamError where the chart is not pinned.
        """
        mirror = platform.cluster.charts.repository
        for place, value in chart_settings(platform, self.name, values):
            values = _with(values, place, value)
        kinds = tuple(self._kinds(values))
        changed = _webhook_differences(platform, kinds)
        return HelmRelease(
            repository=mirror or self.repository,
            chart=self.name,
            version=chart_version(platform.cluster, self.name),
            path=None if mirror else self.path,
            values=mirrored_values(values, self.images, platform.mirrors),
            kinds=kinds,
            ignore_differences=(*self.ignore_differences, *changed),
            skips_definitions=self.skips_definitions,
            other_namespaces=self.other_namespaces,
        )

    def _kinds(self, values: Values) -> Iterator[EmittedKind]:
        where = self.namespaced_kinds_where.items()
        rendered = (kind for kind, switches in where if are_on(switches, values))
        for named in (*self.namespaced_kinds, *rendered, *self.cluster_kinds):
            kind, _, group = named.partition(".")
            yield EmittedKind(group, kind, namespaced=named not in self.cluster_kinds)


def _webhook_differences(
    platform: Platform, kinds: Iterable[EmittedKind]
) -> Iterator[Mapping[str, Any]]:
    """Yield what the provider changes of configurations of webhooks among these kinds."""
    expressions = list(platform.provider.webhook_differences)
    for each in kinds if expressions else ():
        if each.group == _ADMISSION and each.kind.endswith("WebhookConfiguration"):
            yield {"group": each.group, "kind": each.kind, "jqPathExpressions": expressions}


class ChartImage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A section of a chart's values that names an image, and what the chart says there itself.

    Its repository begins with the registry, unless that is a value of its own, which other images
    may share.
    """

    section: str
    """Path of the section, as `driver.manager`."""
    repository: str
    """With the registry, whichever value has it."""
    repository_key: str = "repository"
    """Name of the value that is the repository."""
    registry_key: str | None = None
    """Name of the value that is the registry; None where the repository begins with it."""
    name: str | None = None
    """What follows the repository, the value of `image`; None where that is the whole name."""
    named_at: str | None = None
    """Path of the value that follows the repository, where it is not `image` of the section."""
    tag: str
    """The one that the chart takes where the values have none."""
    tag_key: str = "tag"
    """Name of the value that is the tag."""
    runs_where: Mapping[str, bool] = field(default_factory=dict)
    """Values that are all true where it runs, as paths, each with what the chart says."""
    has_os_tag: bool = False
    """Whether an operator adds the operating system of the nodes to the tag."""

    @property
    def repository_path(self) -> tuple[str, ...]:
        """Path of the value that begins with the registry."""
        return (*self.section.split("."), self.repository_key)

    @property
    def name_path(self) -> str:
        """Path of the value that follows the repository, if any does."""
        return self.named_at or f"{self.section}.image"

    def split(self, repository: str) -> Mapping[str, str]:
        if self.registry_key is None:
            return {self.repository_key: repository}
        registry, _, path = repository.partition("/")
        return {self.registry_key: registry, self.repository_key: path}

    def named_repository(self, values: Values) -> str:
        said = self.split(self.repository).items()
        return "/".join(value_at(values, f"{self.section}.{key}", says) for key, says in said)

    def runs(self, values: Values) -> bool:
        return are_on(self.runs_where, values)

    def reference(self, values: Values) -> str:
        repository = self.named_repository(values)
        name = value_at(values, self.name_path, self.name)
        tag, digest = (
            value_at(values, f"{self.section}.{key}", says)
            for key, says in ((self.tag_key, self.tag), ("digest", None))
        )
        if self.name is None:
            return f"{repository}@{digest}" if digest else f"{repository}:{tag}"
        return f"{repository}/{name}{'@' if str(tag).startswith(_DIGEST) else ':'}{tag}"


def mirrored_values(
    values: Values, images: Iterable[ChartImage], mirrors: RegistryMirrors
) -> Values:
    if not mirrors.places:
        return values
    # Where some share their registry, the values name none of them right until all are mirrored.
    for image, named in [(image, image.named_repository(values)) for image in images]:
        if (mirrored := mirrors.of(named)) != named:
            for key, value in image.split(mirrored).items():
                values = _with(values, (*image.section.split("."), key), value)
    return values


def named_images(values: Values, images: Iterable[ChartImage]) -> Iterator[tuple[ChartImage, str]]:
    for image in images:
        if image.runs(values):
            yield image, image.reference(values)


def are_on(switches: Mapping[str, bool], values: Values) -> bool:
    """Return whether these values are all true; the chart has a default for each."""
    return all(value_at(values, path, says) for path, says in switches.items())


def value_at(values: Values, path: str, otherwise: Any) -> Any:
    """Return the value at a path; the other where there is none, or an empty one."""
    found = document.value_at(values, path.split("."))
    return otherwise if found in (None, "") else found


def _with(values: Values, path: tuple[str, ...], value: Any) -> Values:
    """Return the values with another at a path; one that is a mapping adds to what is there."""
    key, *rest = path
    if rest:
        return {**values, key: _with(values.get(key) or {}, tuple(rest), value)}
    if isinstance(value, Mapping):
        for inner, each in value.items():
            values = _with(values, (key, inner), each)
        return values
    return {**values, key: value}
