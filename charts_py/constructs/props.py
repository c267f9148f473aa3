"""The parts of a cluster file as props of constructs.

Each builds the model of its name, whose docstrings describe its fields and their defaults
(docs/reference/cluster-file.md), and raises SpecError with what a cluster file would be told.
"""

from charts_py.cluster_file.addons import (
    Addons as _Addons,
    BurnIn as _BurnIn,
    Dashboards as _Dashboards,
    GpuHealth as _GpuHealth,
    IdleGpus as _IdleGpus,
    MetricsServer as _MetricsServer,
    Monitoring as _Monitoring,
)
from charts_py.cluster_file.cluster import (
    Extensions as _Extensions,
    Network as _Network,
    Patch as _Patch,
    PatchOperation as _PatchOperation,
    PlanPolicy as _PlanPolicy,
)
from charts_py.cluster_file.gitops import (
    Charts as _Charts,
    GitOps as _GitOps,
    Registry as _Registry,
)
from charts_py.cluster_file.hardware import (
    DescribedInstanceType as _DescribedInstanceType,
    DescribedModel as _DescribedModel,
    Driver as _Driver,
    Hardware as _Hardware,
)
from charts_py.cluster_file.kubernetes_version import (
    Freeze as _Freeze,
    Hold as _Hold,
    Promotion as _Promotion,
)
from charts_py.cluster_file.policies import (
    CustomRule as _CustomRule,
    Exempt as _Exempt,
    GivenCertificate as _GivenCertificate,
    NodeNames as _NodeNames,
    Policies as _Policies,
    PolicyException as _PolicyException,
    Replicas as _Replicas,
    SharedMemory as _SharedMemory,
    Webhook as _Webhook,
    WebhookApiServer as _WebhookApiServer,
)
from charts_py.cluster_file.pool import (
    Cost as _Cost,
    Electricity as _Electricity,
    NodeMatch as _NodeMatch,
    NodeRange as _NodeRange,
    OwnedMachine as _OwnedMachine,
    Pool as _Pool,
    PoolAlerts as _PoolAlerts,
    SharingSpec as _SharingSpec,
    Topology as _Topology,
)
from charts_py.cluster_file.provider import (
    AksSettings as _AksSettings,
    AksUpgrade as _AksUpgrade,
    EksSettings as _EksSettings,
    EksVpc as _EksVpc,
    GkeNetwork as _GkeNetwork,
    GkeSettings as _GkeSettings,
)
from charts_py.cluster_file.queues import (
    Login as _Login,
    MultiKueue as _MultiKueue,
    Partition as _Partition,
    Priority as _Priority,
    Queues as _Queues,
    Slurm as _Slurm,
    SlurmStorage as _SlurmStorage,
)
from charts_py.cluster_file.team import (
    Members as _Members,
    Namespace as _Namespace,
    Quota as _Quota,
    Team as _Team,
)
from charts_py.cluster_file.training import (
    JobSet as _JobSet,
    LeaderWorkerSet as _LeaderWorkerSet,
    Ray as _Ray,
    Trainer as _Trainer,
    Training as _Training,
    TrainingOperator as _TrainingOperator,
)
from charts_py.constructs.fields import part

Addons = part(_Addons)
AksSettings = part(_AksSettings)
AksUpgrade = part(_AksUpgrade)
BurnIn = part(_BurnIn)
Charts = part(_Charts)
Cost = part(_Cost)
CustomRule = part(_CustomRule)
Dashboards = part(_Dashboards)
DescribedInstanceType = part(_DescribedInstanceType)
DescribedModel = part(_DescribedModel)
Driver = part(_Driver)
EksSettings = part(_EksSettings)
EksVpc = part(_EksVpc)
Electricity = part(_Electricity)
Exempt = part(_Exempt)
Extensions = part(_Extensions)
Freeze = part(_Freeze)
GitOps = part(_GitOps)
GivenCertificate = part(_GivenCertificate)
GkeNetwork = part(_GkeNetwork)
GkeSettings = part(_GkeSettings)
GpuHealth = part(_GpuHealth)
Hardware = part(_Hardware)
Hold = part(_Hold)
IdleGpus = part(_IdleGpus)
JobSet = part(_JobSet)
LeaderWorkerSet = part(_LeaderWorkerSet)
Login = part(_Login)
Members = part(_Members)
MetricsServer = part(_MetricsServer)
Monitoring = part(_Monitoring)
MultiKueue = part(_MultiKueue)
Namespace = part(_Namespace)
Network = part(_Network)
NodeMatch = part(_NodeMatch)
NodeNames = part(_NodeNames)
NodeRange = part(_NodeRange)
OwnedMachine = part(_OwnedMachine)
Partition = part(_Partition)
Patch = part(_Patch)
PatchOperation = part(_PatchOperation)
PlanPolicy = part(_PlanPolicy)
Policies = part(_Policies)
PolicyException = part(_PolicyException)
Pool = part(_Pool)
PoolAlerts = part(_PoolAlerts)
Priority = part(_Priority)
Promotion = part(_Promotion)
Queues = part(_Queues)
Quota = part(_Quota)
Ray = part(_Ray)
Registry = part(_Registry)
Replicas = part(_Replicas)
SharedMemory = part(_SharedMemory)
SharingSpec = part(_SharingSpec)
Slurm = part(_Slurm)
SlurmStorage = part(_SlurmStorage)
Team = part(_Team)
Topology = part(_Topology)
Trainer = part(_Trainer)
Training = part(_Training)
TrainingOperator = part(_TrainingOperator)
Webhook = part(_Webhook)
WebhookApiServer = part(_WebhookApiServer)
