"""Where what is said of changes stands, at the versions that were read."""

KARPENTER = "https://github.com/kubernetes-sigs/karpenter/blob/v1.14.1"
KARPENTER_HASH = f"{KARPENTER}/pkg/apis/v1/nodepool.go"
KARPENTER_DRIFT = f"{KARPENTER}/pkg/controllers/nodeclaim/disruption/drift.go"
KARPENTER_STATIC = f"{KARPENTER}/pkg/controllers/static/deprovisioning/controller.go"
KARPENTER_STATIC_DRIFT = f"{KARPENTER}/pkg/controllers/disruption/staticdrift.go"

KARPENTER_AWS = "https://github.com/aws/karpenter-provider-aws/blob/v1.14.1"
NODE_CLASS_HASH = f"{KARPENTER_AWS}/pkg/apis/v1/ec2nodeclass.go"
NODE_CLASS_DRIFT = f"{KARPENTER_AWS}/pkg/cloudprovider/drift.go"
DISRUPTION = f"{KARPENTER_AWS}/website/content/en/docs/concepts/disruption.md"
NODE_POOLS = f"{KARPENTER_AWS}/website/content/en/docs/concepts/nodepools.md"
NODE_CLASSES = f"{KARPENTER_AWS}/website/content/en/docs/concepts/nodeclasses.md"
RESERVATIONS = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-reservations.html"
NODE_OVERLAYS = f"{KARPENTER_AWS}/website/content/en/docs/concepts/nodeoverlays.md"

EKSCTL = "https://docs.aws.amazon.com/eks/latest/eksctl/nodegroup-managed.html"

CONFIG_CONNECTOR = "https://github.com/GoogleCloudPlatform/k8s-config-connector/blob/v1.155.1"
CONFIG_CONNECTOR_WEBHOOK = f"{CONFIG_CONNECTOR}/pkg/webhook/immutable_fields_validator.go"
CONFIG_CONNECTOR_UPDATE = f"{CONFIG_CONNECTOR}/pkg/controller/tf/controller.go"
CONFIG_CONNECTOR_DELETION = (
    "https://cloud.google.com/config-connector/docs/how-to/managing-deleting-resources"
)
GKE_UPDATE = "https://cloud.google.com/kubernetes-engine/docs/how-to/update-existing-nodepools"
GKE_UPGRADE = (
    "https://cloud.google.com/kubernetes-engine/docs/concepts/node-pool-upgrade-strategies"
)
GKE_COMPUTE_CLASSES = (
    "https://cloud.google.com/kubernetes-engine/docs/concepts/about-custom-compute-classes"
)

AKS_SCALE = "https://learn.microsoft.com/azure/aks/scale-cluster"
AKS_LABELS = "https://learn.microsoft.com/azure/aks/use-labels"
AKS_UPGRADE = "https://learn.microsoft.com/azure/aks/upgrade-aks-cluster"
AKS_IMMUTABLE = "https://github.com/pulumi/pulumi-azure-native/issues/3655"
AKS_REPLACED = "https://github.com/hashicorp/terraform-provider-azurerm/issues/26730"
SERVICE_OPERATOR = "https://azure.github.io/azure-service-operator/guide/annotations/"
SERVICE_OPERATOR_PUT = (
    "https://azure.github.io/azure-service-operator/design/adr-2022-12-reconciliation-extensions/"
)

NODE_FEATURES = (
    "https://github.com/kubernetes-sigs/node-feature-discovery/blob/v0.19.0"
    "/docs/usage/customization-guide.md"
)
NODE_READINESS = (
    "https://github.com/kubernetes-sigs/node-readiness-controller/blob/v0.5.0"
    "/docs/book/src/user-guide/concepts.md"
)

GPU_OPERATOR = "https://github.com/NVIDIA/gpu-operator/blob/v26.7.0"
DRIVER_DIGEST = f"{GPU_OPERATOR}/internal/config/driver_config_digest.go"
DRIVER_UPGRADE_LIMIT = (
    f"{GPU_OPERATOR}/vendor/github.com/NVIDIA/k8s-operator-libs/pkg/upgrade/common_manager.go"
)
DRIVER_UPGRADE = (
    "https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-driver-upgrades.html"
)
GPU_OPERATOR_MIG = (
    "https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-operator-mig.html"
)
TIME_SLICING = (
    "https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-sharing.html"
)
MIG_RECONFIGURE = "https://github.com/NVIDIA/mig-parted/tree/v0.15.0/pkg/mig/reconfigure"
DEVICE_PLUGIN = "https://github.com/NVIDIA/k8s-device-plugin/blob/v0.20.0"
DEVICE_PLUGIN_CONFIG = f"{DEVICE_PLUGIN}/README.md"
DEVICE_PLUGIN_MPS = f"{DEVICE_PLUGIN}/cmd/mps-control-daemon/mps/daemon.go"
AMD_UPGRADE = "https://github.com/ROCm/gpu-operator/blob/v1.5.1/docs/drivers/upgrading.md"

KUBERNETES = "https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis"
KUBERNETES_APPS = f"{KUBERNETES}/apps/validation/validation.go"
KUBERNETES_BATCH = f"{KUBERNETES}/batch/validation/validation.go"
KUBERNETES_CORE = f"{KUBERNETES}/core/validation/validation.go"
KUBERNETES_NETWORKING = f"{KUBERNETES}/networking/validation/validation.go"
KUBERNETES_NODE = f"{KUBERNETES}/node/validation/validation.go"
KUBERNETES_RBAC = f"{KUBERNETES}/rbac/validation/validation.go"
KUBERNETES_RESOURCE = f"{KUBERNETES}/resource/validation/validation.go"
KUBERNETES_SCHEDULING = f"{KUBERNETES}/scheduling/validation/validation.go"
KUBERNETES_STORAGE = f"{KUBERNETES}/storage/validation/validation.go"
RUNTIME_CLASS_ADMISSION = (
    "https://github.com/kubernetes/kubernetes/blob/v1.37.1"
    "/plugin/pkg/admission/runtimeclass/admission.go"
)
DEVICE_CLASS_TYPES = (
    "https://github.com/kubernetes/kubernetes/blob/v1.37.1"
    "/staging/src/k8s.io/api/resource/v1/types.go"
)
DOCS = "https://kubernetes.io/docs"
DOCS_QUOTAS = f"{DOCS}/concepts/policy/resource-quotas/"
DOCS_LIMIT_RANGES = f"{DOCS}/concepts/policy/limit-range/"
DOCS_PRIORITY = f"{DOCS}/concepts/scheduling-eviction/pod-priority-preemption/"
DOCS_NETWORK_POLICIES = f"{DOCS}/concepts/services-networking/network-policies/"
DOCS_NAMESPACES = f"{DOCS}/concepts/overview/working-with-objects/namespaces/"
DOCS_POD_SECURITY = f"{DOCS}/concepts/security/pod-security-admission/"
DOCS_CONFIG_MAPS = f"{DOCS}/concepts/configuration/configmap/"
DOCS_DEPLOYMENTS = f"{DOCS}/concepts/workloads/controllers/deployment/"
DOCS_DAEMON_SETS = f"{DOCS}/tasks/manage-daemon/update-daemon-set/"
DOCS_STATEFUL_SETS = f"{DOCS}/concepts/workloads/controllers/statefulset/"
DOCS_JOBS = f"{DOCS}/concepts/workloads/controllers/job/"
DOCS_CRON_JOBS = f"{DOCS}/concepts/workloads/controllers/cron-jobs/"
DOCS_GARBAGE = f"{DOCS}/concepts/architecture/garbage-collection/"
DOCS_AUTOSCALER = f"{DOCS}/concepts/workloads/autoscaling/horizontal-pod-autoscale/"
DOCS_BUDGETS = f"{DOCS}/tasks/run-application/configure-pdb/"
DOCS_SERVICES = f"{DOCS}/concepts/services-networking/service/"
DOCS_ACCESS = f"{DOCS}/reference/access-authn-authz/rbac/"
DOCS_ACCOUNTS = f"{DOCS}/concepts/security/service-accounts/"
DOCS_WEBHOOKS = f"{DOCS}/reference/access-authn-authz/extensible-admission-controllers/"
DOCS_VALIDATING = f"{DOCS}/reference/access-authn-authz/validating-admission-policy/"
DOCS_DEFINITIONS = f"{DOCS}/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/"
DOCS_VERSIONS = (
    f"{DOCS}/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/"
)
DOCS_TRANSITIONS = f"{DOCS_DEFINITIONS}#transition-rules"
DOCS_VOLUMES = f"{DOCS}/concepts/storage/persistent-volumes/"
DOCS_STORAGE_CLASSES = f"{DOCS}/concepts/storage/storage-classes/"
DOCS_TAINTS = f"{DOCS}/concepts/scheduling-eviction/taint-and-toleration/"
DOCS_LABELS = f"{DOCS}/concepts/overview/working-with-objects/common-labels/"
DOCS_ANNOTATIONS = f"{DOCS}/concepts/overview/working-with-objects/annotations/"
DOCS_AGGREGATION = f"{DOCS}/concepts/extend-kubernetes/api-extension/apiserver-aggregation/"
DOCS_FINALIZERS = f"{DOCS}/concepts/overview/working-with-objects/finalizers/"

ARGO_CD = "https://github.com/argoproj/argo-cd/blob/v3.5.1/docs"
ARGO_CD_OPTIONS = f"{ARGO_CD}/user-guide/sync-options.md"
ARGO_CD_PRUNING = f"{ARGO_CD}/user-guide/auto_sync.md"
ARGO_CD_DELETION = f"{ARGO_CD}/user-guide/app_deletion.md"
ARGO_CD_WAVES = f"{ARGO_CD}/user-guide/sync-waves.md"
ARGO_CD_DIFFING = f"{ARGO_CD}/user-guide/diffing.md"
ARGO_CD_PROJECTS = f"{ARGO_CD}/user-guide/projects.md"
ARGO_CD_SETS = f"{ARGO_CD}/operator-manual/applicationset/Controlling-Resource-Modification.md"
ARGO_CD_HEALTH = f"{ARGO_CD}/operator-manual/health.md"
ARGO_CD_TRACKING = (
    "https://github.com/argoproj/argo-cd/blob/v3.5.7/reposerver/repository/repository.go#L1807"
)
ARGO_CD_APPLICATION = f"{ARGO_CD}/operator-manual/application.yaml"
ARGO_CD_BOOTSTRAPPING = f"{ARGO_CD}/operator-manual/cluster-bootstrapping.md"

KUEUE = "https://github.com/kubernetes-sigs/kueue/blob/v0.19.2"
KUEUE_CLUSTER_QUEUE = f"{KUEUE}/site/content/en/docs/concepts/cluster_queue.md"
KUEUE_PREEMPTION = f"{KUEUE}/site/content/en/docs/concepts/preemption.md"
KUEUE_COHORT = f"{KUEUE}/site/content/en/docs/concepts/cohort.md"
KUEUE_FLAVOR = f"{KUEUE}/site/content/en/docs/concepts/resource_flavor.md"
KUEUE_FLAVOR_TYPES = f"{KUEUE}/apis/kueue/v1beta2/resourceflavor_types.go"
KUEUE_LOCAL_QUEUE = f"{KUEUE}/site/content/en/docs/concepts/local_queue.md"
KUEUE_PRIORITY = f"{KUEUE}/site/content/en/docs/concepts/workload_priority_class.md"
KUEUE_CHECK = f"{KUEUE}/site/content/en/docs/concepts/admission_check.md"
KUEUE_MULTIKUEUE = f"{KUEUE}/site/content/en/docs/concepts/multikueue.md"
KUEUE_MULTIKUEUE_JOBS = f"{KUEUE}/pkg/controller/admissionchecks/multikueue/workload.go"
KUEUE_TOPOLOGY = f"{KUEUE}/site/content/en/docs/concepts/topology_aware_scheduling.md"
KUEUE_INSTALLATION = f"{KUEUE}/site/content/en/docs/installation/_index.md"
KAI = "https://github.com/kai-scheduler/KAI-Scheduler/blob/v0.17.0/docs"
KAI_QUEUES = f"{KAI}/queues/README.md"
KAI_OPERATOR = f"{KAI}/operator/README.md"
KAI_SHARDS = f"{KAI}/operator/scheduling-shards.md"
VOLCANO_QUEUES = (
    "https://github.com/volcano-sh/volcano/blob/v1.15.1/docs/design/capacity-scheduling.md"
)
VOLCANO_NAMESPACES = (
    "https://github.com/volcano-sh/volcano/blob/v1.15.1"
    "/pkg/webhooks/admission/podgroups/mutate/mutate_podgroup.go"
)
SLINKY = "https://github.com/SlinkyProject/slurm-operator/tree/v1.2.1"
SLINKY_NODE_SETS = (
    "https://github.com/SlinkyProject/slurm-operator/blob/v1.2.1"
    "/docs/concepts/nodeset-controller.md"
)
TRAINER = "https://github.com/kubeflow/trainer/tree/v2.3.0"
CERT_MANAGER = "https://cert-manager.io/docs/usage/certificate/"
CERT_MANAGER_ISSUERS = "https://cert-manager.io/docs/configuration/"
PROMETHEUS_RULES = (
    "https://github.com/prometheus-operator/prometheus-operator/blob/v0.93.0"
    "/Documentation/developer/alerting.md"
)
CLUSTER_AUTOSCALER = (
    "https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/proposals/buffers.md"
)
CLUSTER_AUTOSCALER_LIMITS = (
    "https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/FAQ.md"
    "#my-cluster-is-below-minimum--above-maximum-number-of-nodes-but-ca-did-not-fix-that-why"
)
