"""The API server decides by its own policies as the rules do, about thousands of pods."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from benchmarks.synthetic_pods import synthetic_pods
from charts_py.platform.policy_settings import policy_settings
from policies.admission import Effect, Review
from policies.apply import copied
from policies.engine import Engine
from policies.in_cel.rules import RULES_IN_CEL
from tests.e2e.claims.admission import wait_until_refused
from tests.e2e.claims.cluster import load_claim_cluster, write_release
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.releases.objects import applied, namespace, read_release
from webhook.reviewer import today

PODS = 200
IN_CEL = {rule.name for rule in RULES_IN_CEL}
_DENIED = "ValidatingAdmissionPolicy 'pods-denied.gpuplane.io'"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    write_release(load_claim_cluster(), folder)
    return folder


def test_probe(admin: ApiClient, release: Path) -> None:
    settings = policy_settings(load_claim_cluster())
    objects = [
        each
        for each in read_release(release, "priority-classes", "admission-policies")
        if "granted" not in each["metadata"]["name"]
    ]
    spaces = [namespace(name) for name in (*settings.namespaces, "foreign")]
    engine = Engine(settings)
    import collections
    import time

    seen = collections.Counter()
    with applied(admin, [*spaces, *objects]):
        wrong = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "w", "namespace": "foreign"},
            "spec": {
                "hostIPC": True,
                "containers": [
                    {
                        "name": "a",
                        "image": "a:latest",
                        "resources": {"limits": {"nvidia.com/gpu": 1}},
                    }
                ],
            },
        }
        print(wait_until_refused(admin, wrong).message)
        start = time.time()
        for ns, pod in islice(synthetic_pods(3, settings), PODS):
            if ns in ("kube-system",):
                continue
            pod = engine.admit(copied(pod), Review(ns, today())).document
            names = set()
            for field in ("containers", "initContainers"):
                for i, c in enumerate(pod["spec"].get(field) or ()):
                    c["name"] = f"{c['name']}-{field[:1]}{i}".lower()
            pod["metadata"]["namespace"] = ns
            pod["spec"]["automountServiceAccountToken"] = False
            expected = [
                str(f)
                for f in engine.admit(copied(pod), Review(ns, today(), fixes=False)).with_effect(
                    Effect.DENIED
                )
                if f.rule in IN_CEL
            ]
            try:
                admin.create(pod, dryRun="All")
                got = []
            except ApiError as error:
                if _DENIED not in error.message:
                    seen[error.message.split(":", 1)[1][:70]] += 1
                    continue
                got = error.message.partition("denied request: ")[2]
            seen["same" if (" ".join(expected) == (got or "")) else f"DIFF {expected} {got}"] += 1
        print(time.time() - start)
    for k, v in seen.most_common():
        print(v, k)
