"""No Service of a team takes addresses outside of the cluster.

Who may create a Service can name any address in `externalIPs`, and nodes then send what pods and
others want of that address to the Service (CVE-2020-8554,
https://github.com/kubernetes/kubernetes/issues/97076). No quota counts it: its type is ClusterIP.
Addresses that a Service already has stay, as `DenyServiceExternalIPs` has it: who releases its
finalizers updates it. https://github.com/kubernetes/kubernetes
(plugin/pkg/admission/network/denyserviceexternalips at v1.37.1)
"""

from charts_py.components.admission_policies.policy import Policy
from charts_py.platform.judged_namespaces import TEAM_NAMESPACES
from gpus.platform_names import LABEL_PREFIX

EXTERNAL_ADDRESSES = Policy(
    name=f"external-addresses.{LABEL_PREFIX}",
    namespaces=TEAM_NAMESPACES,
    rule={
        "apiGroups": [""],
        "apiVersions": ["v1"],
        "operations": ["CREATE", "UPDATE"],
        "resources": ["services"],
    },
    body={
        "validations": [
            {
                "expression": "object.spec.?externalIPs.orValue([]).all(address,"
                ' request.operation == "UPDATE"'
                " && address in oldObject.spec.?externalIPs.orValue([]))",
                "message": "Services of this namespace have no spec.externalIPs, which take from "
                "everybody in the cluster what is sent to these addresses; use a Service of type "
                "LoadBalancer, which the quota counts.",
                "reason": "Forbidden",
            }
        ],
    },
)
"""The policy, for the namespaces of teams."""
