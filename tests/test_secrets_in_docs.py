"""The manifests that the page on extending shows for secrets."""

from __future__ import annotations

import re
from pathlib import Path

from gpuplane.versions.synth import SynthRequest, synthesize
from gpuplane.versions.validation import validate
from gpus.provider import Provider
from tests.example_repository import write_example_repository

PAGE = Path(__file__).parents[1] / "docs" / "extending.md"


def test_they_are_rendered_as_own_manifests_and_valid(tmp_path: Path) -> None:
    _, _, section = PAGE.read_text(encoding="utf-8").partition("\n## Secrets\n")
    shown = re.findall(r"```yaml\n(.*?)```", section.partition("\n## ")[0], re.DOTALL)
    write_example_repository(tmp_path, Provider.ONPREM)
    clusters = tmp_path / "clusters"
    (clusters / "own").mkdir()
    (clusters / "own" / "secrets.yaml").write_text("---\n".join(shown), encoding="utf-8")
    with (clusters / "fleet.yaml").open("a", encoding="utf-8") as fleet:
        fleet.write("extensions: {manifests: own}\n")
    synthesize(SynthRequest(clusters, tmp_path / "dist"))
    written = (file.name for file in tmp_path.glob("dist/example/*/manifests/*.yaml"))
    assert sorted(written) == ["ClusterExternalSecret.registry.yaml", "ExternalSecret.scraper.yaml"]
    assert validate(tmp_path / "dist").failures == ()
