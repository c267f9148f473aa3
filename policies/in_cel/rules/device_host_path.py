"""`policies.rules.device_host_path` in CEL; the API server lets no such path go back by `..`."""

from policies.in_cel.field_path import volume_index
from policies.in_cel.literal import text, texts
from policies.in_cel.path import parts
from policies.in_cel.pod_fields import VOLUMES
from policies.in_cel.rule_in_cel import RuleInCel
from policies.in_cel.shown import shown
from policies.rule_name import RuleName
from policies.rules.device_host_path import DEVICES, FOLDERS, PROCESS, VAR_RUN
from policies.settings import Settings

_NORMAL = (
    f'["/" + {parts("volume.hostPath.path")}.join("/")]'
    f".map(path, path == {text(VAR_RUN)} || path.startsWith({text(f'{VAR_RUN}/')})"
    f" ? path.substring({len('/var')}) : path)"
)
_HOLDS_DEVICES = (
    f"{_NORMAL}.exists(path, path in {texts(FOLDERS)}"
    f" || {texts(DEVICES)}.exists(beginning, path.startsWith(beginning))"
    f" || path.matches({text(f'^{PROCESS}')}))"
)


def _refusals(_settings: Settings) -> str:
    return (
        f"{VOLUMES}.filter(volume, has(volume.hostPath) && {_HOLDS_DEVICES}).map(volume,"
        f' "The volume " + {shown("volume.name")} + " mounts " + {shown("volume.hostPath.path")}'
        ' + " of the node, which exposes its GPUs. Remove spec.volumes["'
        f' + {volume_index("volume")} + "] and ask for a GPU resource.")'
    )


RULE_IN_CEL = RuleInCel(RuleName.DEVICE_HOST_PATH, refusals=_refusals)
