"""The records of what each change of a pinned chart, driver or CRD does, and their reader."""
