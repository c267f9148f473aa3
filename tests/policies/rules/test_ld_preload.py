from typing import Any

import pytest

from policies.operation import Operation
from policies.rules.ld_preload import RULE
from tests.policies.conftest import found, gpu_pod, message


@pytest.mark.parametrize("fields", [{"value": "/a.so"}, {"valueFrom": {}}])
def test_a_preloaded_library_is_refused(fields: Any) -> None:
    pod = gpu_pod({"env": [{"name": "A"}, {"name": "LD_PRELOAD"} | fields]})
    assert message(found(RULE, pod)) == (
        "/spec/containers/0/env/1 The container train sets LD_PRELOAD on a pod with GPUs. "
        "Remove spec.containers[0].env[1]; set it in a start script."
    )


EMPTIED = Operation("add", "/spec/containers/0/env", [{"name": "LD_PRELOAD", "value": ""}])


@pytest.mark.parametrize(
    ("container", "fix"),
    [
        ({"envFrom": [{"configMapRef": {"name": "a"}}]}, EMPTIED),
        ({"envFrom": [{"prefix": "LD_", "secretRef": {"name": "a"}}]}, EMPTIED),
        (
            {"envFrom": [{"configMapRef": {"name": "a"}}], "env": [{"name": "A"}]},
            Operation("add", "/spec/containers/0/env/-", {"name": "LD_PRELOAD", "value": ""}),
        ),
    ],
)
def test_it_is_emptied_where_env_from_could_set_it(container: Any, fix: Operation) -> None:
    (finding,) = found(RULE, gpu_pod(container))
    assert message([finding]) == (
        "/spec/containers/0/env The container train takes variables from "
        "spec.containers[0].envFrom, which could set LD_PRELOAD on a pod with GPUs. Set "
        "LD_PRELOAD to an empty value in spec.containers[0].env; a start script can set it."
    )
    assert finding.fix == (fix,)


@pytest.mark.parametrize(
    "container",
    [
        {"envFrom": [{"prefix": "APP_", "configMapRef": {"name": "a"}}]},
        {"envFrom": [{"configMapRef": {}}], "env": [{"name": "LD_PRELOAD"}]},
        {"envFrom": [{"configMapRef": {}}], "env": [{"name": "LD_PRELOAD", "value": ""}]},
        {"envFrom": [{}], "resources": {"limits": {"amd.com/gpu": 1}}},
        {"envFrom": []},
        {"envFrom": None},
    ],
)
def test_it_stays_as_it_is_where_nothing_could_or_no_toolkit_is(container: Any) -> None:
    assert found(RULE, gpu_pod(container)) == []


def test_other_variables_pass() -> None:
    assert found(RULE, gpu_pod({"env": [{"name": "LD_LIBRARY_PATH"}, None, {"name": 1}]})) == []
