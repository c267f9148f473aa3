"""Custom rules and pods of which all evaluators must say the same."""

import datetime as dt
from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from policies.custom_rule import CustomAudience, CustomRule, CustomSeverity
from policies.document import Document
from policies.rule_name import Mode, RuleName
from policies.settings import NamespaceSettings, RuleException, Settings
from policies.settings_json import read_settings, write_settings

SPACES = ("enforced", "warned", "audited", "off", "excepted")
_LABELS = "object.metadata.?labels.orValue({})"
_ALL = CustomAudience.ALL_PODS
CUSTOM = (
    CustomRule(
        "no-host-network",
        "!object.spec.?hostNetwork.orValue(false) // spec.object. is no field, isn't it",
        message='The pod uses the network of its node: leave out "object.spec.hostNetwork".',
        audience=_ALL,
    ),
    CustomRule(
        "few-containers",
        "size(object.spec.containers) <= 2",
        message_expression='"The pod " + object.metadata.name + " has "'
        ' + object.spec.containers.map(each, each.name).join(", ") + "."',
        severity=CustomSeverity.WARN,
        audience=_ALL,
    ),
    CustomRule(
        "small-memory",
        "object.spec.containers.all(each,"
        " quantity(string(each.resources.limits.memory)).isLessThan(quantity('10Gi')))",
        message="The containers of the pod have 10Gi of memory or more.",
        audience=_ALL,
    ),
    CustomRule(
        "data-class",
        f'"example.com/data-class" in {_LABELS}',
        message="The pod has no label example.com/data-class.",
        audience=_ALL,
        apply="has(object.metadata.labels)"
        ' ? [{"op": "add", "path": "/metadata/labels/example.com~1data-class",'
        ' "value": request.namespace}]'
        ' : [{"op": dyn("add"), "path": dyn("/metadata/labels"),'
        ' "value": dyn({"example.com/data-class": request.namespace})}]',
    ),
    CustomRule(
        "grace",
        "object.spec.?terminationGracePeriodSeconds.orValue(30) != 7"
        f' || {_LABELS}[?"example.com/data-class"].orValue("") == ""',
        message="The pod ends after 7 seconds.",
        severity=CustomSeverity.WARN,
        apply='[{"op": dyn("replace"), "path": dyn("/spec/terminationGracePeriodSeconds"),'
        ' "value": dyn(8)}]',
    ),
)
IMAGE = "registry.example.com/train:1.4"


def settings_with(base: Settings) -> Settings:
    """Return settings in which the rules have another mode in each of `SPACES`.

    None of these has a level of Pod Security.
    """
    names = [custom.name for custom in CUSTOM]
    some = next(iter(base.namespaces.values()), NamespaceSettings("a", "training"))
    modes = {"warned": Mode.WARN, "audited": Mode.AUDIT, "off": Mode.OFF}
    return read_settings(
        write_settings(
            replace(
                base,
                mode=Mode.OFF,
                modes={RuleName.TOLERATIONS: Mode.ENFORCE} | dict.fromkeys(names, Mode.ENFORCE),
                namespaces={
                    space: replace(some, modes=dict.fromkeys(names, mode), pod_security=None)
                    for space, mode in modes.items()
                },
                exceptions=tuple(
                    RuleException(name, "excepted", "they move", "a@b.c", dt.date(2099, 1, 1))
                    for name in names
                ),
                own=CUSTOM,
            )
        )
    )


def pods() -> Iterator[Document]:
    """Yield pods that break none, some and all of the rules."""
    labels: tuple[Document, ...] = ({}, {"app": "a"}, {"example.com/data-class": "secret"})
    memories = ("1Gi", "10Gi", "10737418239", "20480Mi", None)
    for number, (label, memory, network, gpus, containers, grace) in enumerate(
        product(labels, memories, (False, True), (0, 1), (1, 3), (7, 30))
    ):
        amounts = {"nvidia.com/gpu": str(gpus), "memory": memory}
        limits = {name: amount for name, amount in amounts.items() if amount not in ("0", None)}
        yield {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": f"pod-{number}", **({"labels": label} if label else {})},
            "spec": {
                "automountServiceAccountToken": False,
                "hostNetwork": network,
                "terminationGracePeriodSeconds": grace,
                "tolerations": [],
                "containers": [
                    {
                        "name": f"c{at}",
                        "image": IMAGE,
                        "resources": {"limits": limits if at == 0 else {"memory": memory}}
                        if memory or (gpus and at == 0)
                        else {},
                    }
                    for at in range(containers)
                ],
            },
        }
