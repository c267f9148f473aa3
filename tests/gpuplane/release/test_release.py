import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from gpuplane.plan.effect import Verdict
from gpuplane.plan.version_bump import Step
from gpuplane.release import cluster_release
from gpuplane.release.changelog import versions_in
from gpuplane.release.cluster_release import ReleaseError
from gpuplane.release.release import ReleaseRequest, plan_release, release
from gpuplane.versions.record import check_whole, digest
from gpuplane.versions.tree import DistError, read_tree
from tests.gpuplane.conftest import SAMPLES
from tests.gpuplane.messages import message_of
from tests.gpuplane.release.conftest import NOW, RenderedChain
from tests.gpuplane.versions.conftest import run_git


def _request(chain: RenderedChain, step: Step | None = None) -> ReleaseRequest:
    changelogs = chain.directory / "changelogs"
    return ReleaseRequest(chain.clusters, chain.dist, changelogs, ("training",), NOW, step)


def _state(chain: RenderedChain) -> dict[str, bytes]:
    tree = read_tree(chain.directory)
    return {path: content for path, content in tree.items() if not path.startswith(".git/")}


@pytest.fixture(scope="module")
def cut_once(
    rendered_chain: RenderedChain, tmp_path_factory: pytest.TempPathFactory
) -> RenderedChain:
    """Training has 1.2.1, which was cut of changes on top of 1.2.0, and is not committed."""
    chain = RenderedChain(tmp_path_factory.mktemp("cut") / "repository")
    shutil.copytree(rendered_chain.directory, chain.directory)
    chain.write("training", version="1.2.0", live="", gpus=24)
    before = _state(chain)
    plan = plan_release(_request(chain))
    assert _state(chain) == before
    release(plan)
    return chain


@pytest.fixture
def cut(cut_once: RenderedChain, tmp_path: Path) -> RenderedChain:
    """A copy of it."""
    shutil.copytree(cut_once.directory, tmp_path, dirs_exist_ok=True)
    return RenderedChain(tmp_path)


def test_a_version_is_written_with_its_number_and_its_changelog(
    cut: RenderedChain, rendered_chain: RenderedChain
) -> None:
    before, after = _state(rendered_chain), _state(cut)
    changed = {path for path in after if after[path] != before.get(path)}
    assert {path for path in changed if not path.startswith("dist/training/1.2.1/")} == {
        "clusters/training.yaml",
        "changelogs/training.md",
    }
    quota = '`spec.hard["requests.nvidia.com/gpu"]`: "16" → "24"'
    assert f"ResourceQuota research/quota ({quota})\n" in after["changelogs/training.md"].decode()


def test_edited_clusters_are_those_whose_released_version_has_other_objects(
    rendered: RenderedChain,
) -> None:
    request = replace(_request(rendered), names=(), is_edited=True)
    assert plan_release(request).releases == ()
    rendered.write("training", version="1.2.0", live="1.1.0", gpus=24)
    (found,) = plan_release(request).releases
    assert (found.cluster, found.version, found.live) == ("training", "1.2.1", "1.1.0")
    rendered.write("training", version="1.3.0-rc.1", live="1.1.0", gpus=24)
    assert plan_release(request).releases == ()


def test_a_version_that_is_kept_no_longer_goes_with_the_commit_that_cuts_the_next(
    rendered: RenderedChain,
) -> None:
    rendered.render("training", version="1.3.0", live="1.2.0", gpus=24)
    rendered.commit()
    rendered.render("training", version="1.3.0", live="1.3.0", gpus=24)
    rendered.write_fleet("  keep: 0\n", chain=["training"])
    rendered.commit()
    rendered.write("training", version="1.3.0", live="1.3.0", gpus=32)
    plan = plan_release(_request(rendered))
    release(plan)
    assert plan.pruned == {"training": ("1.1.0",)}
    assert sorted(
        file.name for file in (rendered.dist / "training").iterdir() if file.is_dir()
    ) == ["1.2.0", "1.3.0", "1.3.1"]
    assert rendered.synth(check=True).is_current


def test_a_cluster_of_a_chain_stays_on_what_is_live(cut: RenderedChain) -> None:
    text = (cut.clusters / "training.yaml").read_text("utf-8")
    assert "version: 1.2.1\nlive: 1.1.0\n" in text


def test_a_statement_names_commit_author_and_digests(cut: RenderedChain) -> None:
    folder = cut.dist / "training" / "1.2.1"
    said = json.loads((folder / "provenance.json").read_bytes())
    definition = said["predicate"]["buildDefinition"]
    *sources, tool = definition["resolvedDependencies"]
    record = digest((folder / "release.json").read_bytes())
    assert said["subject"] == [
        {"name": "dist/training/1.2.1/release.json", "digest": {"sha256": record}}
    ]
    assert (definition["externalParameters"], definition["internalParameters"]) == (
        {"cluster": "training", "version": "1.2.1", "previous": "1.2.0"},
        {"author": "Jo Doe <jo@example.com>"},
    )
    files = (cut.clusters / name for name in ("training.yaml", "fleet.yaml"))
    assert sources == [
        {
            "uri": "git+https://git.example.com/platform.git",
            "digest": {"gitCommit": run_git(cut.directory, "rev-parse", "HEAD")},
        },
        *(
            {"uri": f"clusters/{file.name}", "digest": {"sha256": digest(file.read_bytes())}}
            for file in files
        ),
    ]
    assert tool["uri"].startswith("pkg:pypi/gpuplane@")


def test_synth_keeps_a_statement_about_what_it_renders(cut: RenderedChain) -> None:
    before = _state(cut)
    assert cut.synth(check=True).is_current
    cut.synth()
    folder = cut.dist / "training" / "1.2.1"
    check_whole(folder, read_tree(folder))
    assert _state(cut) == before


def test_a_statement_about_other_objects_is_dropped(cut: RenderedChain) -> None:
    cut.write("training", version="1.2.1", live="1.1.0", gpus=32)
    (training,) = cut.synth(check=True).clusters
    assert training.changes.removed == ("training/1.2.1/provenance.json",)


def test_a_statement_of_a_released_version_is_that_of_the_main_branch(cut: RenderedChain) -> None:
    cut.commit()
    file = cut.dist / "training" / "1.2.1" / "provenance.json"
    released = file.read_bytes()
    file.write_bytes(released.replace(b"Jo Doe", b"Ed Doe"))
    assert not cut.synth(check=True).is_current
    cut.synth()
    assert file.read_bytes() == released


def test_a_forged_statement_of_another_version_is_told(rendered: RenderedChain) -> None:
    (rendered.dist / "training" / "1.1.0" / "provenance.json").write_text("{}", encoding="utf-8")
    assert rendered.synth(check=True).tampered == ("training/1.1.0/provenance.json",)


def test_a_bump_takes_the_place_of_what_the_objects_ask_for(rendered: RenderedChain) -> None:
    rendered.write("training", version="1.2.0", live="1.1.0", gpus=24)
    (planned,) = plan_release(_request(rendered, Step.MAJOR)).releases
    assert planned.version == "2.0.0"


def _refused(chain: RenderedChain) -> str:
    before = _state(chain)
    message = message_of(ReleaseError, plan_release, _request(chain))
    assert _state(chain) == before
    return message


def test_less_than_a_plan_asks_for_is_refused(
    rendered: RenderedChain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_release, "asked_step", lambda *_: Step.MINOR)
    rendered.write("training", version="1.2.0", live="1.1.0", gpus=24)
    assert message_of(ReleaseError, plan_release, _request(rendered, Step.PATCH)) == (
        "training: --bump patch is less than the minor step that gpuplane plan asks for since "
        "1.2.0; allowed: minor, or no --bump"
    )


def test_a_version_in_which_nothing_differs_is_refused(rendered: RenderedChain) -> None:
    what = "training: nothing differs from 1.2.0, so there is no version to cut"
    assert _refused(rendered) == what


def test_what_is_not_committed_is_refused(cut: RenderedChain) -> None:
    place = cut.dist / "training"
    assert _refused(cut) == (
        f"training: {place} differs from the last commit: dist/training/1.2.1/; "
        "commit it, or restore it"
    )


def test_a_name_that_is_taken_is_refused(cut: RenderedChain) -> None:
    run_git(cut.directory, "checkout", "-b", "change")
    cut.commit()
    cut.write("training", version="1.2.0", live="1.1.0", gpus=32)
    folder = cut.dist / "training" / "1.2.1"
    assert _refused(cut) == (
        f"training: the name 1.2.1 is taken: {folder} is there, and not released; "
        "set version: 1.2.1 to cut that, or delete the folder"
    )


def test_a_number_that_was_used_is_passed_over(cut: RenderedChain) -> None:
    cut.commit()
    cut.write("training", version="1.2.0", live="1.1.0", gpus=32)
    (planned,) = plan_release(_request(cut)).releases
    assert planned.version == "1.2.2"
    shutil.rmtree(cut.dist / "training" / "1.2.1")
    cut.commit()
    (planned,) = plan_release(_request(cut)).releases
    assert planned.version == "1.2.2"


def test_what_others_have_released_since_is_refused(cut: RenderedChain) -> None:
    run_git(cut.directory, "branch", "change")
    cut.commit()
    run_git(cut.directory, "checkout", "change")
    cut.write("training", version="1.2.0", live="1.1.0", gpus=32)
    assert _refused(cut) == (
        "training: 1.2.1 is released already (main), and this branch lacks it; merge main first"
    )


def test_a_revert_of_what_is_live_is_the_next_version_once_its_folder_is_back(
    cut: RenderedChain,
) -> None:
    cut.commit()
    before = run_git(cut.directory, "rev-parse", "HEAD~1")
    cut.render("training", version="1.2.1", live="1.2.1", gpus=24)
    cut.commit()
    run_git(cut.directory, "checkout", "-b", "back")
    run_git(cut.directory, "revert", "--no-edit", f"{before}..HEAD")
    folder = cut.dist / "training" / "1.2.1"
    restore = f"git restore --source main -- {folder}"
    assert message_of(DistError, plan_release, _request(cut)) == (
        f"{folder}: gone, while 1.2.1 is live (main); bring it back, and cut the next version: "
        f"{restore} && gpuplane release training"
    )
    run_git(cut.directory, *restore.split()[1:])
    release(plan_release(_request(cut)))
    assert cut.synth(check=True).is_current
    changelog = (cut.directory / "changelogs" / "training.md").read_text("utf-8")
    assert [*versions_in(changelog)] == ["Unreleased", "1.2.2", "1.2.1"]
    text = (cut.clusters / "training.yaml").read_text("utf-8")
    assert "version: 1.2.2\nlive: 1.1.0\n" in text


def test_no_version_is_cut_without_a_commit(rendered: RenderedChain) -> None:
    shutil.rmtree(rendered.directory / ".git")
    assert (
        _refused(rendered) == f"{rendered.dist}: there is no commit to cut a version from; "
        "commit clusters/ and dist/ first"
    )


def test_no_changelog_is_written_by_a_link_out_of_the_repository(
    rendered: RenderedChain, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rendered.write("training", version="1.2.0", live="", gpus=24)
    theirs = tmp_path_factory.mktemp("theirs")
    (rendered.directory / "changelogs").symlink_to(theirs)
    plan = plan_release(_request(rendered))
    with pytest.raises(OSError, match="which is outside of the repository"):
        release(plan)
    assert [*theirs.iterdir()] == []


def test_another_minor_of_kubernetes_asks_for_the_step_of_a_plan(rendered: RenderedChain) -> None:
    file = rendered.clusters / "staging.yaml"
    text = (SAMPLES / "karpenter.yaml").read_text("utf-8")
    text = text.replace("version: 1.0.0\n", "version: 1.0.0\nlive: 1.0.0\n")
    file.write_text(text.replace('kubernetes: "1.36"', 'kubernetes: "1.35"'), encoding="utf-8")
    rendered.synth()
    rendered.commit()
    file.write_text(text, encoding="utf-8")
    request = replace(_request(rendered), names=("staging",))
    (found,) = plan_release(request).releases
    assert (found.verdict, found.version) == (Verdict.DISRUPTIVE, "2.0.0")
