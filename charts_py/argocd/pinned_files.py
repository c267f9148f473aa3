"""Names of the files next to a cluster's version folders, which Argo CD follows."""

ROOT_APPLICATION = "root-application.yaml"
"""What a person applies once."""

LIVE_APPLICATION = "live-application.yaml"
"""What names the live version; the root Application follows it."""

PROJECT = "project.yaml"
"""What all versions together may do; the root Application follows it."""
