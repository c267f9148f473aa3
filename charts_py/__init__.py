"""From a cluster file to cdk8s charts to versioned YAML.

`charts_py.cluster_file`, `charts_py.checks` and `charts_py.platform` read and derive without
cdk8s, so that a lint does not pay for starting Node. cdk8s begins where `charts_py.rendering` calls
the constructs of components.
"""
