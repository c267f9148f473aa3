"""The training operator, with the definitions of its kinds."""

from __future__ import annotations

from tests.binaries.pinned_module import MODULE_TRAINING_OPERATOR
from tests.binaries.pinned_program import PinnedProgram

_MODULE = "github.com/kubeflow/training-operator"

TRAINING_OPERATOR_VERSION = MODULE_TRAINING_OPERATOR.version(_MODULE)

TRAINING_OPERATOR = PinnedProgram(
    "training-operator", f"{_MODULE}/cmd/training-operator.v1", module=MODULE_TRAINING_OPERATOR
)
