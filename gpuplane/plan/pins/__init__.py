"""What each change of a pinned chart, driver or CRD does, as this folder records it."""
