"""The kinds of webhook configurations."""

GROUP = "admissionregistration.k8s.io"
KINDS = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
