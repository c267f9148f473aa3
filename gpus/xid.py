"""The errors (XID) that NVIDIA's driver reports, sorted by the remedy that they need."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from gpus.table import read_table

_GRADED = "WORKFLOW_NVLINK5_ERR"


class XidClass(StrEnum):
    """The part that an error is a matter of."""

    APPLICATION = "application"
    """An error of the program, which has to start again; the GPU goes on."""
    HANG = "hang"
    """The GPU has to be reset, and a program may have hung it, as it will hang the next one."""
    DRIVER = "driver"
    """An error of the driver or its firmware: the GPU has to be reset, else the node rebooted."""
    HARDWARE = "hardware"
    """An error of the GPU, its memory or its links: no pod should get it before somebody has
    looked."""
    NOTICE = "notice"
    """A notice alone: other errors, or counters of memory, say whether anything is to be done."""


@dataclass(frozen=True, slots=True)
class Xid:
    """An error, as NVIDIA's catalogue has it."""

    code: int
    meaning: str
    bucket: str
    """The catalogue's word for what to do at once, such as `RESET_GPU`."""
    xid_class: XidClass

    @property
    def is_graded(self) -> bool:
        """Whether only its line in the kernel's log says if it is fatal: `Fatal` or `Nonfatal`."""
        return self.bucket == _GRADED


@cache
def load_xids() -> tuple[Xid, ...]:
    """Return the errors that are classified, by code; the driver reports others too."""
    rows = read_table("xids").items()
    xids = (
        Xid(int(code), row["meaning"], row["bucket"], XidClass(row["class"])) for code, row in rows
    )
    return tuple(sorted(xids, key=lambda xid: xid.code))


def xids_of(*classes: XidClass) -> tuple[Xid, ...]:
    return tuple(xid for xid in load_xids() if xid.xid_class in classes)
