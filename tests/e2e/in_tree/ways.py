"""Asks `gpuplane admit`, the webhook, the API server, and the last two together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from charts_py.cluster_file.policies import Admission as Admitting
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpus.platform_names import FIXED, JUDGED
from policies.admission import Admission, Review, today
from policies.engine import Engine
from policies.in_cel.judged_annotation import judged_by
from policies.manifest_admission import admit_pod
from policies.operation import copied
from policies.pod import Pod
from policies.rule_name import RuleName
from tests.e2e.claims.cluster import admitting, rendered, write_release
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.in_tree.agreement import Decided, Way
from tests.e2e.in_tree.decision import Decision, decide, decide_all
from tests.e2e.in_tree.policies import FOREIGN, surroundings
from tests.e2e.in_tree.sent_pods import SentPod
from tests.e2e.in_tree.valid_pod import made_valid
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied
from tests.e2e.webhook.registration import MAX_TIMEOUT_SECONDS, ServeWebhook

_AGAIN = 8
"""One pod in this many is sent twice."""


@dataclass(frozen=True, slots=True)
class Ways:
    """The clients and servers by which pods are decided about."""

    admin: ApiClient
    serve_webhook: ServeWebhook
    folder: Path
    """An empty one."""

    def decide(self, platform: Platform, sent: Sequence[SentPod]) -> list[Decided]:
        engine = Engine(policy_settings(platform))
        admitted = [*_admitted(engine, sent)]
        fixed = [each.document for each in admitted]
        pods = [each.document for each in sent]
        with applied(self.admin, [*surroundings(platform)]):
            defaulted = self._all(fixed)
            with self._webhook(platform, Admitting.WEBHOOK_ONLY):
                by_webhook = self._all(pods)
            by_api_server, again = self._by_policies(platform, pods, fixed, by_webhook)
            by_backstop = self._by_both(platform, pods)
        by = (
            {Way.WEBHOOK: webhook, Way.API_SERVER: api_server, Way.BACKSTOP: backstop}
            for webhook, api_server, backstop in zip(
                by_webhook, by_api_server, by_backstop, strict=True
            )
        )
        decided = (sent, admitted, defaulted, by, _judged(engine, admitted), again)
        return [Decided(*each) for each in zip(*decided, strict=True)]

    def _all(self, pods: Iterable[Document]) -> list[Decision]:
        return decide_all(self.admin, pods)

    @contextmanager
    def _webhook(self, platform: Platform, admission: Admitting) -> Iterator[None]:
        """Serve the webhook, with what policies on pods the cluster has besides."""
        release = self.folder / admission
        write_release(admitting(platform, admission), release)
        with self.serve_webhook(release, MAX_TIMEOUT_SECONDS):
            yield

    def _by_both(self, platform: Platform, pods: list[Document]) -> list[Decision]:
        """Decide by the webhook and the policies behind it; every other pod claims to be judged."""
        claimed = judged_by(policy_settings(platform))
        claiming = [pod if at % 2 else _claiming(pod, claimed) for at, pod in enumerate(pods)]
        without_gpu = made_valid({"spec": {"containers": [{"name": "a"}]}}, "probe", FOREIGN)
        probe = _claiming(without_gpu, claimed)
        with self._webhook(platform, Admitting.BACKSTOP):
            once_seen(lambda: decide(self.admin, probe).pod, _is_not_annotated)
            return self._all(claiming)

    def _by_policies(
        self,
        platform: Platform,
        pods: list[Document],
        fixed: list[Document],
        expected: list[Decision],
    ) -> tuple[list[Decision], list[Decision | None]]:
        objects = rendered(admitting(platform, Admitting.IN_TREE_ONLY), "admission-policies")
        probes = [*_probes(pods, expected)]
        with applied(self.admin, objects):
            self._wait(probes, seen=True)
            decided = self._all(pods)
            again = self._all(fixed[::_AGAIN])
        self._wait(probes, seen=False)
        return decided, [*_spread(again, len(pods))]

    def _wait(self, probes: list[_Probe], *, seen: bool) -> None:
        """Try pods until the API server, which reads of policies late, follows them or forgets."""
        once_seen(
            lambda: [decide(self.admin, each.pod) for each in probes],
            lambda found: all(
                probe.sees(decision) is seen for probe, decision in zip(probes, found, strict=True)
            ),
        )


def _spread(decisions: Sequence[Decision], count: int) -> Iterator[Decision | None]:
    """Yield each decision at the place of its pod, and None between them."""
    for at in range(count):
        asked = decisions and at % _AGAIN == 0
        yield decisions[at // _AGAIN] if asked else None


@dataclass(frozen=True, slots=True)
class _Probe:
    pod: Document
    sees: Callable[[Decision], bool]


def _probes(sent: list[Document], expected: list[Decision]) -> Iterator[_Probe]:
    """Yield a pod that is denied, one that is warned of, and one that is fixed."""
    probed = [
        (pod, decision)
        for pod, decision in zip(sent, expected, strict=True)
        # Where no team is, one policy alone denies.
        if pod["metadata"]["namespace"] == FOREIGN
    ]
    for sees in (_is_denied, _is_warned_of):
        yield next(_Probe(pod, sees) for pod, decision in probed if sees(decision))
    unfixed = ((pod, decision) for pod, decision in probed if FIXED not in str(pod))
    yield next(_Probe(pod, _is_fixed) for pod, decision in unfixed if _is_fixed(decision))


def _is_not_annotated(pod: Document | None) -> bool:
    return pod is not None and not pod["annotations"]


def _is_denied(decision: Decision) -> bool:
    return f"{RuleName.IMAGE_REGISTRY}: " in decision.denial


def _is_warned_of(decision: Decision) -> bool:
    return any(f"{RuleName.MEMORY_LIMIT}: " in each for each in decision.warnings)


def _is_fixed(decision: Decision) -> bool:
    return decision.pod is not None and FIXED in decision.pod["annotations"]


def _admitted(engine: Engine, sent: Iterable[SentPod]) -> Iterator[Admission]:
    """Yield what the function that `gpuplane admit` calls decides about each pod.

    No namespace here enforces a level of Pod Security, which it would judge by besides.
    """
    for each in sent:
        yield admit_pod(engine, copied(each.document), Review(each.namespace, today()))


def _judged(engine: Engine, admitted: Iterable[Admission]) -> Iterator[set[str | None]]:
    """Yield what the webhook may say of each pod: that nothing is left in it, or nothing.

    One that asks for no GPU is shown to it where it names one all the same.
    """
    review = Review("", today(), fixes=False)
    value = judged_by(engine.settings)
    for document in (each.document for each in admitted):
        left = engine.admit(copied(document), review)
        if left.outcomes or left.is_exempt:
            yield {None}
        else:
            asks_for_gpu = Pod(document, engine.offer.names.is_gpu).asks_for_gpu
            yield {value} if asks_for_gpu else {value, None}


def _claiming(pod: Document, value: str) -> Document:
    """Return a pod that says of itself that the webhook has judged it."""
    annotations = {**(pod["metadata"].get("annotations") or {}), JUDGED: value}
    return {**pod, "metadata": {**pod["metadata"], "annotations": annotations}}
