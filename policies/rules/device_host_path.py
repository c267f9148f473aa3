"""Pods get GPU devices from the device plugin, not from the node's file system."""

import posixpath
import re
from collections.abc import Iterable, Iterator

from policies.cel.pod import VOLUMES, parts, volume_index
from policies.cel.text import quote, shown_in_cel, texts
from policies.document import members, shown
from policies.finding import Finding
from policies.pod import Pod
from policies.rule import Audience, Context, InCel, Message, Rule, always
from policies.rule_name import RuleName

VAR_RUN = "/var/run"
"""A link to `/run`: https://refspecs.linuxfoundation.org/FHS_3.0/fhs/ch05s13.html"""
DEVICES = (
    "/dev/nvidia",
    "/dev/dri",
    "/dev/kfd",
    "/dev/accel",
    "/dev/hl",
    "/dev/vfio",
    "/dev/char",
    "/run/nvidia/",
)
"""Beginnings of the paths of device files: of NVIDIA; of AMD and Intel; of AMD; of Gaudi, newer and
older; of any device that is given to a virtual machine; of links to any by its number, which
`nvidia-ctk system create-dev-char-symlinks` makes for NVIDIA's; and where the GPU operator's driver
container has its own `/dev`, and MPS its pipes: `driverInstallDir` and `mps.root` in
https://github.com/NVIDIA/gpu-operator/blob/v26.7.0/deployments/gpu-operator/values.yaml"""
FOLDERS = ("/", "/dev", "/proc", "/run", "/run/nvidia")
"""Folders that hold one of these, or processes."""
PROCESS = "/proc/([0-9]+|self|thread-self)(/|$)"
"""A process: its `root`, `cwd` and `fd` lead to all that it sees
(https://man7.org/linux/man-pages/man5/proc_pid_root.5.html)."""
_OF_PROCESS = re.compile(PROCESS)
_MOUNTED = Message(
    "The volume {volume} mounts {mounted} of the node, which exposes its GPUs.",
    "Remove spec.volumes[{index}] and ask for a GPU resource.",
)


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    """Refuse volumes that mount the node's GPU devices, or a folder that leads to them.

    A path is judged as it is written: where a link of the node leads is not known here.
    """
    for volume in pod.volumes:
        if type(volume) is dict and "hostPath" in volume:
            return _refusals(pod)
    return ()


def _refusals(pod: Pod) -> Iterator[Finding]:
    for index, raw in enumerate(pod.volumes):
        volume = members(raw)
        if "hostPath" not in volume:
            continue
        path = members(volume.get("hostPath")).get("path")
        if type(path) is str and _holds_devices(path):
            name = shown(volume.get("name"))
            yield RULE.finding(
                _MOUNTED,
                path=f"/spec/volumes/{index}/hostPath/path",
                culprit=f"volume {name}",
                volume=name,
                mounted=shown(path),
                index=index,
            )


def _holds_devices(path: str) -> bool:
    normal = "/" + posixpath.normpath(path).lstrip("/")
    if normal == VAR_RUN or normal.startswith(f"{VAR_RUN}/"):
        normal = normal.removeprefix("/var")
    return normal in FOLDERS or normal.startswith(DEVICES) or _OF_PROCESS.match(normal) is not None


_NORMAL = (
    f'["/" + {parts("volume.hostPath.path")}.join("/")]'
    f".map(path, path == {quote(VAR_RUN)} || path.startsWith({quote(f'{VAR_RUN}/')})"
    f" ? path.substring({len('/var')}) : path)"
)
_HOLDS_DEVICES = (
    f"{_NORMAL}.exists(path, path in {texts(FOLDERS)}"
    f" || {texts(DEVICES)}.exists(beginning, path.startsWith(beginning))"
    f" || path.matches({quote(f'^{PROCESS}')}))"
)

_FOUND = _MOUNTED.in_cel(
    volume=shown_in_cel("volume.name"),
    mounted=shown_in_cel("volume.hostPath.path"),
    index=volume_index("volume"),
)
_REFUSED = (
    f"{VOLUMES}.filter(volume, has(volume.hostPath) && {_HOLDS_DEVICES}).map(volume, {_FOUND})"
)

RULE: Rule = Rule(
    RuleName.DEVICE_HOST_PATH,
    summary="No volume mounts the node's GPU devices.",
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
    in_cel=InCel(refusals=always(_REFUSED)),
)
