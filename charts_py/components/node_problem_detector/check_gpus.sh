#!/bin/sh
# Usage: check_gpus.sh RESOURCE=COUNT...
# Ask whether the kubelet holds COUNT healthy devices of each RESOURCE that device plugins listed.
# Exit code 0 sets the condition to False, 1 to True, any other to Unknown.
checkpoint=/device-plugins/kubelet_internal_checkpoint

healthy_devices() {
  sed 's/.*"RegisteredDevices":{//; s/}.*//' "$checkpoint" |
    grep -o "\"$1\":\[[^]]*" | sed 's/.*\[//' | grep -o '"[^"]*"' | wc -l
}

[ $# -gt 0 ] || exit 2
if [ ! -r "$checkpoint" ]; then
  echo "no device plugin has registered"
  exit 1
fi
for expected; do
  resource=${expected%=*}
  count=${expected##*=}
  found=$(healthy_devices "$resource")
  if ! [ "$found" -ge "$count" ]; then
    echo "$resource: $found of $count"
    exit 1
  fi
done
# The kubelet posts its devices in the node's status within 10 seconds.
sleep 12
