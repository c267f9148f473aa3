"""A release of a pinned chart, and the objects that it consists of."""

import ast
import re
import shutil
import tempfile
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from charts_py.extensions.manifest_files import ManifestLoader
from charts_py.helm.objects import printed_objects
from charts_py.helm.program import Helm, HelmError, api_versions
from charts_py.objects.document import Document, EmittedKind, key_of
from charts_py.objects.fields import changed_fields
from charts_py.objects.manifest_yaml import to_yaml
from upstream.fetch import write_chart
from upstream.lock import locked_chart

_REASONS = {
    name: reason
    for reason, names in tomllib.loads(
        (files(__package__) / "changing_functions.toml").read_text(encoding="utf-8")
    ).items()
    for name in names
}
"""What each function of templates does whose result depends on when and where a chart is rendered.

Two renderings right after one another may agree on what these return. So each name becomes a field
of `fail`, which Helm parses with any arguments, and which stops it where one is called.
"""
_TEXT = r'"(?:\\.|[^"\\\n])*"|`[^`]*`|/\*.*?(?:\*/|\Z)'
"""A string or a comment, which may hold a name or the end of an action as well."""
# Text without an end is none, but is looked at once, and not from each of its beginnings.
_ACTION = re.compile(rf"\{{\{{(?>{_TEXT}|.)*?(?:\}}\}}|\Z)", re.DOTALL)
_NAME = re.compile(rf"{_TEXT}|(?<![\w.$-])(?P<name>{'|'.join(_REASONS)})(?![\w-])", re.DOTALL)
_STOPPED = re.compile(r"fail\.(\w+)")
VALUES = "values.yaml"
"""Name of the file of a chart's values, and of those that a release is given."""
_PLACE = re.compile(r'(?:^|\s)([^\s():]+):(\d+):(\d+):?\s+executing "')
_EVALUATED = re.compile(r'tpl function execution for ("(?:\\.|[^"\\])*"): ')
_IN_TPL = "gotpl"
"""What Helm names in place of a file where `tpl` evaluates a text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """What Helm is given of a release."""

    name: str
    namespace: str
    chart: str
    """Its name in `upstream/lock.yaml`."""
    is_released: bool
    """Whether the chart has the version with which its project publishes it, or that in git."""
    values: Mapping[str, Any]
    kinds: tuple[EmittedKind, ...]
    """Every kind that it renders."""
    skips_definitions: bool
    """Whether the chart's CustomResourceDefinitions are left out."""


@dataclass(frozen=True, slots=True)
class Renderer:
    """Renders charts as a cluster of a Kubernetes version would have them."""

    helm: Helm
    mirror: Path
    """Folder of the pinned files."""
    kubernetes: str
    """The minor version, as `1.36`."""

    def objects(self, release: Release) -> tuple[Document, ...]:
        """Return the objects of a release, its hooks among them, but no tests.

        The chart is rendered twice: what `dist/` holds must not depend on the time, on chance or
        on a cluster. Raises HelmError where it does, or where Helm does not render the chart or no
        object of it, and UpstreamError where the pinned chart is missing.
        """
        with tempfile.TemporaryDirectory(prefix="gpuplane-chart-") as folder:
            place = Path(folder) / "release"
            write_chart(release.chart, self.mirror, place, is_released=release.is_released)
            (place / VALUES).write_text(to_yaml(dict(release.values)), encoding="utf-8")
            found = self._rendered(release, place)
            if not found:
                raise HelmError("helm prints no object")
            # What nothing evaluates is rewritten for the second one too, and may be shown by it.
            if _difference(found, self._rendered_stopping(release, place)) and (
                difference := _difference(found, self._rendered(release, place))
            ):
                raise HelmError(difference)
        return found

    def _rendered_stopping(self, release: Release, place: Path) -> tuple[Document, ...]:
        """Return the objects as well; raise HelmError where a changing function is called."""
        again = Path(shutil.copytree(place, place.parent / "again"))
        stop_at_changing_functions(again)
        try:
            return self._rendered(release, again)
        except HelmError as error:
            if (call := called_function(str(error), _chart(release, again))) is not None:
                raise HelmError(call) from error
            raise

    def _rendered(self, release: Release, place: Path) -> tuple[Document, ...]:
        text = self.helm.template(
            [
                release.name,
                _chart(release, place),
                "--namespace",
                release.namespace,
                "--values",
                place / VALUES,
                "--kube-version",
                f"{self.kubernetes}.0",
                "--skip-tests",
                "--skip-crds" if release.skips_definitions else "--include-crds",
                *chain.from_iterable(
                    ("--api-versions", each) for each in api_versions(self.kubernetes)
                ),
            ]
        )
        return tuple(printed_objects(text, release.namespace, release.kinds))


def _chart(release: Release, place: Path) -> Path:
    return place / locked_chart(release.chart).folder


def _difference(first: Sequence[Document], second: Sequence[Document]) -> str | None:
    """Return what differs between two renderings, in any order; None where nothing does."""
    one, other = (Counter(map(key_of, objects)) for objects in (first, second))
    for key in sorted((one - other) + (other - one)):
        return f"{key} is in only one of two renderings"
    pairs = zip(sorted(first, key=key_of), sorted(second, key=key_of), strict=True)
    for document, again in pairs:
        for field in changed_fields(document, again):
            return f"{key_of(document)}: {field.path} differs between two renderings"
    return None


def stopped(text: str) -> str:
    """Return a template that fails where it calls one of the functions."""
    return _ACTION.sub(lambda action: _NAME.sub(_stopped_name, action[0]), text)


def reason_at(text: str, line: int, column: int) -> str | None:
    """Return which function a rewritten template calls there and what it does; None without one.

    Lines count from 1 and columns, in bytes, from 0, as Go's templates report them.
    """
    rest = text.split("\n")[line - 1].encode("utf-8", "surrogateescape")[column:]
    call = _STOPPED.match(rest.decode("utf-8", "surrogateescape"))
    return f"{call[1]} {_REASONS[call[1]]}" if call and call[1] in _REASONS else None


def _stopped_name(found: re.Match[str]) -> str:
    return f"fail.{found['name']}" if found["name"] else found[0]


def stop_at_changing_functions(folder: Path) -> None:
    """Rewrite the files of charts and values below a folder.

    Any of them may hold a text that `tpl` evaluates.
    """
    for file in (path for path in folder.rglob("*") if path.is_file()):
        text = _read(file)
        rewritten = _stopped_values(text) if file.name == VALUES else stopped(text)
        if rewritten != text:
            file.write_text(rewritten, encoding="utf-8", errors="surrogateescape", newline="")


def called_function(error: str, chart: Path) -> str | None:
    """Return where such a function was called and what it does, by Helm's error; else None.

    `chart` is the folder of the rewritten chart.
    """
    places = _PLACE.findall(error)
    # Helm begins with the name of the chart.
    files = [(file.partition("/")[2], line) for file, line, _ in places if file != _IN_TPL]
    if not files:
        return None
    (file, line), (innermost, *position) = files[-1], places[-1]
    is_in_tpl = innermost == _IN_TPL
    text = ast.literal_eval(_EVALUATED.findall(error)[-1]) if is_in_tpl else _read(chart / file)
    reason = reason_at(text, *map(int, position))
    where = "in a text that tpl evaluates, " if is_in_tpl else ""
    return f"{file}:{line}: {where}{reason}" if reason else None


def _stopped_values(text: str) -> str:
    """Return YAML with its strings rewritten, whose quotes are not those of a template."""
    if "{{" not in text:
        return text
    values = yaml.load(text, Loader=ManifestLoader)  # noqa: S506 # a CSafeLoader
    rewritten = _stopped_strings(values)
    return text if rewritten == values else to_yaml(rewritten)


def _stopped_strings(value: Any) -> Any:
    if isinstance(value, dict):
        return {_stopped_strings(key): _stopped_strings(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_stopped_strings(item) for item in value]
    return stopped(value) if isinstance(value, str) else value


def _read(file: Path) -> str:
    """Return the content, whatever it is, such as a picture."""
    return file.read_bytes().decode("utf-8", "surrogateescape")
