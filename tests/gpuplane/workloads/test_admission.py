"""Admission leaves every workload as it is."""

import datetime as dt

from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.workloads.registry import KINDS
from gpuplane.workloads.workload import new_workload
from policies.admission import Review
from policies.apply import copied
from policies.engine import Engine
from policies.manifest_admission import admit_manifest
from policies.rule_name import RuleName
from tests.gpuplane.workloads.conftest import asked_of

TODAY = dt.date(2026, 11, 21)

NOT_OF_THE_MANIFEST = {RuleName.TIME_SLICED_INFERENCE, "data-class"}
"""The first warns of the pool, which somebody named; the second is a custom rule without a fix."""


def test_it_neither_changes_nor_denies_a_workload(platform: Platform) -> None:
    engine = Engine(policy_settings(platform))
    found = [
        (kind.name, str(outcome))
        for kind in KINDS
        for asked in asked_of(kind.name, platform)
        for document in new_workload(asked, platform).documents
        for pod in admit_manifest(
            engine, copied(document), Review(str(asked.namespace), TODAY)
        ).pods
        for outcome in pod.admission.outcomes
        if outcome.finding.rule not in NOT_OF_THE_MANIFEST
    ]
    assert found == []
