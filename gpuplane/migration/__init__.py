"""From the cluster files of earlier versions to those of this one."""
