"""The parts of a cluster file as props of constructs.

Each builds the model of its name, whose docstrings describe its fields and their defaults
(docs/reference/cluster-file.md), and raises SpecError with what a cluster file would be told.
"""

from charts_py.cluster_file import (
    addons,
    cluster,
    controllers,
    gitops,
    hardware,
    jupyterhub,
    kubernetes_version,
    model_registry,
    node_cache,
    policies,
    pool,
    provider,
    queues,
    serving,
    team,
    training,
)
from charts_py.constructs.fields import part

Addons = part(addons.Addons)
AksSettings = part(provider.AksSettings)
AksUpgrade = part(provider.AksUpgrade)
ArgoRollouts = part(serving.ArgoRollouts)
Artifacts = part(model_registry.Artifacts)
BurnIn = part(addons.BurnIn)
CachedModel = part(node_cache.CachedModel)
Charts = part(gitops.Charts)
ControllerSize = part(controllers.ControllerSize)
Cost = part(pool.Cost)
CustomRule = part(policies.CustomRule)
Dashboards = part(addons.Dashboards)
Database = part(model_registry.Database)
DescribedInstanceType = part(hardware.DescribedInstanceType)
DescribedModel = part(hardware.DescribedModel)
Driver = part(hardware.Driver)
DriverUpgrade = part(hardware.DriverUpgrade)
EksSettings = part(provider.EksSettings)
EksVpc = part(provider.EksVpc)
Electricity = part(pool.Electricity)
Exempt = part(policies.Exempt)
Extensions = part(cluster.Extensions)
Freeze = part(kubernetes_version.Freeze)
Gateway = part(serving.Gateway)
GitOps = part(gitops.GitOps)
GivenCertificate = part(policies.GivenCertificate)
GkeNetwork = part(provider.GkeNetwork)
GkeSettings = part(provider.GkeSettings)
GpuHealth = part(addons.GpuHealth)
Hardware = part(hardware.Hardware)
Hold = part(kubernetes_version.Hold)
IdentityProvider = part(jupyterhub.IdentityProvider)
IdleGpus = part(addons.IdleGpus)
InferencePools = part(serving.InferencePools)
JobSet = part(training.JobSet)
JupyterHub = part(jupyterhub.JupyterHub)
Keda = part(serving.Keda)
KedaHttpAddOn = part(serving.KedaHttpAddOn)
LeaderWorkerSet = part(training.LeaderWorkerSet)
Login = part(queues.Login)
Members = part(team.Members)
MetricsServer = part(addons.MetricsServer)
ModelRegistry = part(model_registry.ModelRegistry)
Monitoring = part(addons.Monitoring)
MultiKueue = part(queues.MultiKueue)
Namespace = part(team.Namespace)
Network = part(cluster.Network)
NodeCache = part(node_cache.NodeCache)
NodeMatch = part(pool.NodeMatch)
NodeNames = part(policies.NodeNames)
NodeRange = part(pool.NodeRange)
OwnedMachine = part(pool.OwnedMachine)
Partition = part(queues.Partition)
Patch = part(cluster.Patch)
PatchOperation = part(cluster.PatchOperation)
PlanPolicy = part(cluster.PlanPolicy)
Policies = part(policies.Policies)
PolicyException = part(policies.PolicyException)
Pool = part(pool.Pool)
PoolAlerts = part(pool.PoolAlerts)
PoolTaint = part(pool.PoolTaint)
Priority = part(queues.Priority)
Promotion = part(kubernetes_version.Promotion)
Queues = part(queues.Queues)
Quota = part(team.Quota)
Ray = part(training.Ray)
Registry = part(gitops.Registry)
RegistryServer = part(model_registry.RegistryServer)
Replicas = part(policies.Replicas)
Serving = part(serving.Serving)
SharedMemory = part(policies.SharedMemory)
SharingSpec = part(pool.SharingSpec)
Slurm = part(queues.Slurm)
SlurmStorage = part(queues.SlurmStorage)
Team = part(team.Team)
Topology = part(pool.Topology)
Trainer = part(training.Trainer)
Training = part(training.Training)
TrainingOperator = part(training.TrainingOperator)
Webhook = part(policies.Webhook)
WebhookApiServer = part(policies.WebhookApiServer)
