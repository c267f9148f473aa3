"""CODEOWNERS of a platform repository."""

from pathlib import Path

import pytest

from gpuplane.new_repository.code_owners import unset_owners
from tests.example_repository import write_example_repository


@pytest.mark.parametrize(
    ("path", "owned"),
    [
        (".", ["*"]),
        (
            "platform/gpus",
            ["/platform/gpus/", "/.github/", "/.gitlab/", "/.gitlab-ci.yml", "/CODEOWNERS"],
        ),
    ],
)
def test_the_platform_team_owns_what_is_applied_and_what_ci_runs(
    path: str, owned: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    write_example_repository(tmp_path / path)
    file = tmp_path / path / "CODEOWNERS"
    text = file.read_text("utf-8")
    owner = "@change-me/gpu-platform"
    assert text.splitlines()[2:] == [f"{pattern} {owner}" for pattern in owned]
    assert [*map(str, unset_owners(tmp_path / path))] == [
        f"{file}:{line}: owner: {owner} is a placeholder; allowed: the team that approves changes "
        "of the platform, such as @example/gpu-platform"
        for line, _ in enumerate(owned, start=3)
    ]
    monkeypatch.chdir(tmp_path)
    moved = Path("CODEOWNERS")
    file.replace(moved)
    marks = [fault.mark for fault in unset_owners(Path(path))]
    assert marks == [("CODEOWNERS", line, 0) for line, _ in enumerate(owned, start=3)]
    moved.write_text(text.replace("@change-me/", "@ours/"), encoding="utf-8")
    assert [*unset_owners(Path(path))] == []
