"""Facts and checks of on-premises machines."""

from __future__ import annotations

from charts_py.cluster_file.cluster import NetworkPolicyEngine
from charts_py.cluster_file.hardware import DriverOwner
from charts_py.platform.name_rule import label_value_rule
from charts_py.platform.provider_facts import CALICO, CILIUM, KUBE_DNS, NODE_LOCAL_DNS, EngineSign
from charts_py.platform.wave import Wave
from charts_py.providers.definition import ProviderDefinition, Provisioner
from charts_py.providers.onprem.checks import check_match
from charts_py.providers.onprem.node_feature_rules import node_feature_rules
from gpus.instance_type import Interconnect
from gpus.pool_facts import Advertiser
from gpus.provider import Provider
from gpus.purchase import Purchase

_PROVISIONER = Provisioner(
    objects=node_feature_rules,
    # Their kind comes with the GPU operator, so that they follow it.
    wave=Wave.NODE_FEATURES,
    namespace="default",
)

ONPREM = ProviderDefinition(
    name=Provider.ONPREM,
    pool_name=lambda _draft, _pool: label_value_rule("a node label"),
    provisioner=lambda _cluster: _PROVISIONER,
    driver_owners=(DriverOwner.OPERATOR, DriverOwner.IMAGE),
    advertiser=Advertiser.OPERATOR,
    purchases=(Purchase.ON_DEMAND, Purchase.RESERVED),
    interconnects=(Interconnect.ETHERNET, Interconnect.ROCE, Interconnect.INFINIBAND),
    uniform_mig=False,
    network_policy_engines={
        NetworkPolicyEngine.CILIUM: CILIUM,
        NetworkPolicyEngine.CALICO: CALICO,
        NetworkPolicyEngine.ANTREA: (EngineSign("antrea-agent"),),
        # k3s runs it within its agent, where no object shows it.
        NetworkPolicyEngine.KUBE_ROUTER: (EngineSign("kube-router"),),
    },
    region="datacenter-1",
    # Whether there is a cache on the nodes is up to who set the cluster up.
    dns_pods=(KUBE_DNS, NODE_LOCAL_DNS),
    makes_nodes=False,
    checks=(check_match,),
)
