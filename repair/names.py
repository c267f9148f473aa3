"""Names that repair writes, and that the policies which limit it know."""

from gpus.platform_names import LABEL_PREFIX

PLANNED_AT = f"{LABEL_PREFIX}/repair-planned-at"
"""Annotation with the time of the round that found nothing on the node; the next one repairs it."""
REPAIRED_AT = f"{LABEL_PREFIX}/repaired-at"
"""Annotation with the time of the last repair; a person removes it to have another one at once."""
REPAIRED_FOR = f"{LABEL_PREFIX}/repaired-for"
"""Annotation with the reasons that it had."""
REPAIRED_BOOT = f"{LABEL_PREFIX}/repaired-boot"
"""Annotation with the ID of the boot that it was to end."""
ANNOTATIONS = (PLANNED_AT, REPAIRED_AT, REPAIRED_FOR, REPAIRED_BOOT)

BOOT_ID, NOT_AFTER = "BOOT_ID", "NOT_AFTER"
"""Variables of the pod that reboots: it does nothing in another boot than the one that it was made
in, nor after so many seconds since the epoch, as where its kubelet was away."""
VARIABLES = (BOOT_ID, NOT_AFTER)
