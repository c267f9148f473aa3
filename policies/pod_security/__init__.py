"""Whether a namespace takes a pod: Kubernetes' Pod Security Standards.

The API server enforces them itself; here they are known before a manifest is applied. Names of
controls are those that its messages have. Source: the folder `policy` of
https://github.com/kubernetes/pod-security-admission at v0.37.0
"""
