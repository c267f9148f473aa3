"""The rounds of culling."""

from __future__ import annotations

from charts_py.components.idle_gpus.cron_job import cron_job


def test_no_two_rounds_overlap_and_none_is_tried_again() -> None:
    spec = cron_job("registry.example.com/gpuplane-webhook:0.1.0", ())["spec"]
    job = spec["jobTemplate"]["spec"]
    told = (spec["schedule"], spec["concurrencyPolicy"], job["backoffLimit"])
    assert told == ("*/10 * * * *", "Forbid", 0)


def test_its_pod_meets_the_restricted_standard_and_writes_nothing() -> None:
    pod = cron_job("registry.example.com/gpuplane-webhook:0.1.0", ())["spec"]["jobTemplate"][
        "spec"
    ]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"] == {
        "runAsNonRoot": True,
        "runAsUser": 65532,
        "runAsGroup": 65532,
        "fsGroup": 65532,
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "readOnlyRootFilesystem": True,
    }
    assert [each["readOnly"] for each in container["volumeMounts"]] == [True]
