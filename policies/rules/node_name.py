"""The scheduler chooses the node of a pod, and not whoever creates it.

What names a node goes past the scheduler, and so past every taint with the effect NoSchedule: of
taints the kubelet checks only those with NoExecute. DaemonSets select their nodes by affinity.
`generalFilter` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/kubelet/lifecycle/predicate.go;
https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#how-daemon-pods-are-scheduled
"""

from collections.abc import Iterable

from policies.admission import SERVICE_ACCOUNT, User
from policies.cel.pod import IS_CREATED, NODE_NAME, is_in
from policies.cel.text import quote, shown_in_cel, texts
from policies.document import shown, text
from policies.finding import Finding
from policies.pod import Pod
from policies.rule import Audience, Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import Settings

_NAMES_NODE = Message(
    "The pod names its node {node} itself, past the scheduler and the node's taints.",
    "Remove spec.nodeName; choose nodes by spec.nodeSelector or node affinity.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Refuse a new pod that names its node, unless whoever creates it may.

    The pods of a template are created by a controller, for anybody who may write the template.
    """
    node, creator = text(pod.spec.get("nodeName")), context.creator
    if not node or creator is None or _may_name(creator, context):
        return ()
    return (RULE.finding(_NAMES_NODE, path="/spec/nodeName", node=shown(node)),)


def _may_name(user: User, context: Context) -> bool:
    allowed = context.settings.node_names
    if user.name in allowed.users or not set(allowed.groups).isdisjoint(user.groups):
        return True
    # What is bound to its node has a controller of its own, beside it, such as that of a volume.
    return context.namespace is None and user.is_service_account_of(context.namespace_name)


_USER = 'request.userInfo.?username.orValue("")'
_GROUPS = "request.userInfo.?groups.orValue([])"


def _may_name_in_cel(settings: Settings) -> str:
    allowed = settings.node_names
    account = f'{_USER}.startsWith({quote(SERVICE_ACCOUNT)} + request.namespace + ":")'
    return (
        f"{_USER} in {texts(allowed.users)}"
        f" || {_GROUPS}.exists(group, group in {texts(allowed.groups)})"
        f" || (!({is_in(settings.namespaces)}) && {account})"
    )


def _refusals_in_cel(settings: Settings) -> str:
    found = _NAMES_NODE.in_cel(node=shown_in_cel(NODE_NAME))
    return f'!{IS_CREATED} || {NODE_NAME} == "" || {_may_name_in_cel(settings)} ? [] : [{found}]'


RULE: Rule = Rule(
    RuleName.NODE_NAME,
    summary="A pod leaves it to the scheduler to choose its node.",
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
    in_cel=InCel(refusals=_refusals_in_cel),
)
