"""What changes of quotas do where pools offer other resources."""

from charts_py.components.webhook.server import SETTINGS_CONFIG_MAP, SETTINGS_KEY
from charts_py.objects.document import Document
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.versions.difference import PlacedObject
from gpus.sharing import SharingKind
from policies.settings import OfferedResource, PoolSettings, Settings
from policies.settings_json import write_settings
from tests.gpuplane.plan.single_change import document, only, placed


def _settings(*resources: str) -> dict[PlacedObject, Document]:
    offered = tuple(OfferedResource(each, 8, SharingKind.NONE) for each in resources)
    pool = PoolSettings("a100", "nvidia", offered, cpu=96, memory=2**40)
    text = write_settings(Settings(cluster="lab", pools=(pool,)))
    return placed(document("v1 ConfigMap", {"data": {SETTINGS_KEY: text}}, SETTINGS_CONFIG_MAP))


def _quota(**hard: str) -> dict[PlacedObject, Document]:
    named = {name.replace("_", "-"): amount for name, amount in hard.items()}
    keys = {f"requests.nvidia.com/{name}": amount for name, amount in named.items()}
    return placed(document("v1 ResourceQuota", {"spec.hard": keys}))


def test_a_quota_comes_and_goes_with_the_resource_that_pools_offer() -> None:
    before = _settings("nvidia.com/mig-7g") | _quota(mig_7g="7")
    after = _settings("nvidia.com/mig-1g") | _quota(mig_1g="4")
    planned = only(planned_objects(before, after), "ResourceQuota")
    assert {each.field: each.reason for each in planned.effects} == {
        'spec.hard["requests.nvidia.com/mig-7g"]': (
            "No pool offers it any longer, so the quota has nothing to count; pods that ask "
            "for it do not start again."
        ),
        'spec.hard["requests.nvidia.com/mig-1g"]': (
            "A pool offers it from now on, of which the namespace may hold 4."
        ),
    }


def test_a_quota_that_goes_while_pools_offer_its_resource_bounds_nothing_any_longer() -> None:
    offered = _settings("nvidia.com/mig-7g")
    before, after = offered | _quota(mig_7g="7", gpu="1"), offered | _quota(gpu="1")
    planned = only(planned_objects(before, after), "ResourceQuota")
    assert planned.effects[0].reason == "7 becomes none: the namespace may hold more."
