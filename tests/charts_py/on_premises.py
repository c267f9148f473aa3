"""The text of a cluster file to which tests add what they are about, from its line 9."""

ON_PREMISES = """
provider: onprem
region: datacenter-1
kubernetes: "1.36"
version: 1.0.0
gitops: {repository: https://git.example.com/platform.git}
pools:
  h200: {gpu: H200-SXM, gpus: 8, cpu: 192, memory: 2Ti, purpose: training, nodes: {max: 8}}
"""
