"""What comes next on a chain of clusters, and what was verified of it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from semver import Version

from charts_py.cluster_file.cluster_files import find_cluster_files
from gpuplane.release.judgement import Judgement
from gpuplane.release.promotion import PromotionRequest, plan_promotion
from gpuplane.release.rules import declared_rules
from gpuplane.versions.check import selected_clusters
from gpuplane.versions.live_versions import live_version
from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.record import RECORD_FILE, check_whole, is_prerelease
from gpuplane.versions.snapshot import ClusterSnapshot, WorkTree
from gpuplane.versions.tree import read_tree


@dataclass(frozen=True, slots=True)
class NextPromotion:
    """A released version that is not live yet on a cluster of the chain."""

    judgement: Judgement
    verified: tuple[str, ...] = ()
    """What speaks for it; nothing where a rule refuses it."""


@dataclass(frozen=True, slots=True)
class NextPromotions:
    """What comes next, in the order of the chain."""

    chain: tuple[str, ...]
    items: tuple[NextPromotion, ...]
    main_branch_is_missing: bool


def next_promotions(request: PromotionRequest) -> NextPromotions:
    """Return the released versions that can go live next; nothing is changed.

    Raises what `plan_promotion` does, and DistError for a version that is not as it was rendered.
    """
    files = find_cluster_files(request.clusters)
    names = [file.stem for file in selected_clusters(files, request.names)]
    rules = (declared_rules(WorkTree(), request.clusters, name) for name in names)
    on_chain = tuple(dict.fromkeys(chain.from_iterable(each.chain for each in rules)))
    main_branch = MainBranch(request.dist, request.main_branch)
    waiting = tuple(
        name for name in on_chain if name in names and _waits(request, name, main_branch)
    )
    judged = plan_promotion(replace(request, names=waiting)).judgements if waiting else ()
    return NextPromotions(
        chain=on_chain,
        items=tuple(
            NextPromotion(
                each, () if each.is_refused else tuple(_verified(each, request, on_chain))
            )
            for each in judged
        ),
        main_branch_is_missing=main_branch.is_missing,
    )


def _waits(request: PromotionRequest, name: str, main_branch: MainBranch) -> bool:
    """Say whether the version of a cluster file is released, and later than what is live."""
    declared = ClusterSnapshot(WorkTree(), request.clusters, request.dist, name).declared.version
    main = main_branch.commit
    if declared is None or main is None or is_prerelease(declared):
        return False
    live = live_version(main, request.dist, name)
    is_later = live is None or Version.parse(declared) > Version.parse(live)
    return is_later and main_branch.record(name, declared) is not None


def _verified(
    judgement: Judgement, request: PromotionRequest, on_chain: tuple[str, ...]
) -> Iterator[str]:
    record = judgement.move.new
    folder = request.dist / record.cluster / record.version
    check_whole(folder, read_tree(folder))
    place = "/".join(folder.parts[-3:])
    yield from judgement.notes
    yield f"no cluster of the chain was rolled back from it: {', '.join(on_chain)}"
    yield "no freeze and no hold is on"
    yield f"{place} holds the {len(record.files)} files of its {RECORD_FILE}, unchanged"
