"""What the scheduler reserves of CPU or memory: `Pod.effective_request` in CEL."""


def _stated(amounts: str, resource: str, absent: str) -> str:
    return f'{amounts}.?requests[?"{resource}"].or({amounts}.?limits[?"{resource}"]).{absent}'


def _number(text: str) -> str:
    return f"quantity(string({text})).asApproximateFloat()"


def effective_request(resource: str) -> str:
    """Return CEL for a double: the maximum of what runs at once, plus the pod's overhead."""

    def amount(container: str) -> str:
        return _number(_stated(f"{container}.?resources", resource, 'orValue("0")'))

    beside = (
        "([0.0] + variables.sidecars.filter(s, variables.init_names.indexOf(s.name)"
        f" < variables.init_names.indexOf(c.name)).map(s, {amount('s')})).sum()"
    )
    running = f"([0.0] + (object.spec.containers + variables.sidecars).map(c, {amount('c')})).sum()"
    starting = (
        "object.spec.?initContainers.orValue([])"
        '.filter(c, c.?restartPolicy.orValue("") != "Always")'
        f".map(c, {amount('c')} + {beside})"
    )
    of_containers = f"([{running}] + {starting}).max()"
    of_pod = _stated("object.spec.?resources", resource, 'orValue("")')
    overhead = _number(f'object.spec.?overhead[?"{resource}"].orValue("0")')
    return f'({of_pod} == "" ? {of_containers} : {_number(of_pod)}) + {overhead}'
