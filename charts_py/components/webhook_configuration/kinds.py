"""The kinds of webhook configurations."""

GROUP = "admissionregistration.k8s.io"
MUTATING = "MutatingWebhookConfiguration"
VALIDATING = "ValidatingWebhookConfiguration"
