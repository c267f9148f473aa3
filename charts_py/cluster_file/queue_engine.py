"""What decides which job has its GPUs next."""

from enum import StrEnum


class QueueEngine(StrEnum):
    """What decides which job has its GPUs next."""

    KUEUE = "kueue"
    VOLCANO = "volcano"
    KAI = "kai"
