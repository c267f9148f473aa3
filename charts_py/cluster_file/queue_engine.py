"""The engines of queues, apart from the model, so that a lint need not import pydantic."""

from enum import StrEnum


class QueueEngine(StrEnum):
    """What decides which job has its GPUs next."""

    KUEUE = "kueue"
    VOLCANO = "volcano"
    KAI = "kai"
