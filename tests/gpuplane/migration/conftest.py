"""A cluster file that needs no migration."""

CLUSTER = """\
provider: gke
region: europe-west4
kubernetes: "1.34"
version: 1.0.0
gitops: {repository: https://github.com/example/platform.git}
gke: {project: example, clusterName: inference, location: europe-west4}
pools:
  a100: {instanceType: a2-ultragpu-8g, purpose: inference, nodes: {max: 2}}
"""
