"""Rendered charts as sources, which are judged like files."""

import re
import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from charts_py.helm.program import Helm, HelmError, api_versions, find_helm
from gpuplane.admission.manifest_sources import check_named
from gpuplane.lint.chart_templates import template_lines
from gpuplane.lint.kustomization import read_documents
from gpuplane.lint.lint_source import LintSource
from policies.document import elements, members, text

_MISSING = "missing in charts/ directory: "
"""Begins the names of dependencies in what Helm says
(https://github.com/helm/helm/blob/main/pkg/action/install.go, CheckDependencies)."""

_WRAPPED = re.compile(
    r"cannot unmarshal yaml document: |error (?:converting YAML to|unmarshaling) JSON: "
    r"|while decoding JSON: |(?<=\s)(?:yaml|json): |Use --debug flag to render out invalid YAML"
)
"""What Helm and its readers of YAML put around what is wrong."""
_OF_TEMPLATE = re.compile(r"[^\s/(]+/(?P<file>(?:charts|templates)/[^\s:)\"]+)(?::(?P<line>\d+))?")
_LOADED = re.compile(r"cannot load (?P<file>[\w.-]+): ")
_OF_YAML = re.compile(r"yaml: line (\d+): ")


def chart_sources(
    charts: Sequence[str], values: Sequence[str], namespace: str, kubernetes: str
) -> tuple[LintSource, ...]:
    """Render each chart, a folder or an archive, with Helm, as a cluster would.

    `values` are files of values for each of them. Raises FileNotFoundError for what is not there,
    and UpstreamError where Helm is not on PATH, or was stopped.
    """
    for named in (*charts, *values):
        check_named(Path(named))
    if not charts:
        return ()
    helm = find_helm("gpuplane lint --helm")
    # Helm is run in a folder of its own.
    options = [part for file in values for part in ("--values", Path(file).absolute())]
    options += ["--namespace", namespace, "--kube-version", f"{kubernetes}.0", "--skip-tests"]
    for api_version in api_versions(kubernetes):
        options += ["--api-versions", api_version]
    return tuple(_rendered(helm, chart, options, values) for chart in charts)


def _rendered(
    helm: Helm, chart: str, options: Sequence[str | Path], values: Sequence[str]
) -> LintSource:
    path = Path(chart)

    def render(folder: Path) -> str:
        return helm.template(["release", folder.absolute(), *options])

    try:
        rendered = render(path)
    except HelmError as error:
        _, _, names = str(error).partition(_MISSING)
        if names and path.is_dir():
            return _without_dependencies(path, names)
        return _unrendered(path, values, str(error))
    templates = partial(template_lines, path, rendered, render)
    return LintSource(str(path), rendered.encode(), templates=templates, is_placed_later=True)


def _unrendered(chart: Path, values: Sequence[str], said: str) -> LintSource:
    """Return what Helm says of a chart that it does not render, at the file and line of that."""
    file, line = _place(chart, values, said)
    why = " ".join(_WRAPPED.sub("", said).split())
    for named in (str(chart), *values):
        why = why.replace(str(Path(named).absolute()), named)
    unread = f"Helm does not render the chart: {why}"
    if not file.is_file():  # as in an archive
        return LintSource(str(chart), b"", unread=unread)
    return LintSource(str(file), file.read_bytes(), unread=unread, unread_line=line)


def _place(chart: Path, values: Sequence[str], said: str) -> tuple[Path, int]:
    for named in values:
        if str(Path(named).absolute()) in said:
            return Path(named), _line_of_yaml(said)
    if found := [*_OF_TEMPLATE.finditer(said)]:
        # One template includes another; the last with a line is where it fails.
        last = [each for each in found if each["line"]][-1:] or found
        return chart / last[0]["file"], int(last[0]["line"] or 1)
    if found := [*_LOADED.finditer(said)]:
        return chart / found[0]["file"], _line_of_yaml(said)
    return chart / "Chart.yaml", 1


def _line_of_yaml(said: str) -> int:
    found = _OF_YAML.search(said)
    return int(found[1]) if found else 1


def _without_dependencies(chart: Path, names: str) -> LintSource:
    """Return a chart that lacks dependencies, at the line that states the first of them."""
    file, line = chart / "Chart.yaml", 1
    for one in read_documents(file).read[:1]:
        stated = elements(members(one.document).get("dependencies"))
        missing = [text(members(each).get("name")) in names.split(", ") for each in stated]
        if any(missing):
            line = one.mark_of(f"/dependencies/{missing.index(True)}/name").line
    command = f"helm dependency build {shlex.quote(str(chart))}"
    why = f"Helm does not render the chart: charts/ lacks {names}; fetch them: {command}"
    return LintSource(str(file), file.read_bytes(), unread=why, unread_line=line)
