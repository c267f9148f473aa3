"""DistributedTraining, a training job in a few lines that are right for every cluster.

It is a resource without a controller: `gpuplane expand` prints the TrainJob and the volumes that
one stands for on a cluster. In the cluster it is known so that editors and `kubectl explain` know
its fields; whoever applies one is warned that nothing comes of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.admission_policies.mutating_policy import policy_objects
from charts_py.components.definition import Definition
from charts_py.components.distributed_training.custom_resource_definition import (
    GROUP,
    PLURAL,
    custom_resource_definition,
)
from charts_py.components.distributed_training.unexpanded import UNEXPANDED
from charts_py.platform.contribution import Access, Contribution, Use
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


def _objects(_: Platform) -> Iterator[Document]:
    yield custom_resource_definition()
    yield from policy_objects((UNEXPANDED,))


DISTRIBUTED_TRAINING = Definition(
    name="distributed-training",
    description=__doc__,
    appears="where the cluster has `training.trainer`",
    is_wanted=lambda platform: platform.cluster.training.trainer is not None,
    fields=("training",),
    depends_on=("namespaces",),
    wave=Wave.CONFIGURATION,
    objects=_objects,
    contribution=Contribution(
        access=(Access(GROUP, (PLURAL,), Use.RUN),),
    ),
)
