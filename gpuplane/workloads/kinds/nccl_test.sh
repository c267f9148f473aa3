# Usage: nccl_test.sh PODS GPUS HOST PROGRAM MESSAGE EXPECTED PERCENT JUDGE
# Run PROGRAM on the GPUS of each of the PODS, whose names HOST has, with %d for their numbers. The
# first pod starts it by mpirun, which reaches the others by SSH; JUDGE says what becomes of its output.
set -eu -o pipefail
pods=$1 gpus=$2 host=$3 program=$4 message=$5 expected=$6 percent=$7 judge=$8
port=2222
key_port=2223
ssh=${SSH_FOLDER:-$HOME/.ssh}

name() {
  # shellcheck disable=SC2059 # it has the place of the number
  printf "$host" "$1"
}

# What the container has is not in the environment of a session.
keep_environment() {
  env | grep -E '^(PATH|LD_LIBRARY_PATH|LD_PRELOAD|OPAL_PREFIX|(NCCL|FI|OFI|UCX|OMPI|PMIX|HPCX|SHARP|NVIDIA|CUDA)_[A-Z0-9_]+)=' \
    >"$ssh/environment"
}

# Nothing secret leaves the first pod: the others trust the public key that it hands out.
hand_out_key() {
  ssh-keygen -q -t ed25519 -N "" -f "$ssh/id_ed25519"
  cp "$ssh/id_ed25519.pub" "$ssh/authorized_keys"
  perl -MIO::Socket::INET -e '
    my $key = do { local (@ARGV, $/) = shift; <> };
    my $server = IO::Socket::INET->new(LocalPort => shift, Listen => 128, ReuseAddr => 1) or die $!;
    while (my $pod = $server->accept) { print $pod $key; close $pod }
  ' "$ssh/id_ed25519.pub" "$key_port" &
}

take_key() {
  until cat <"/dev/tcp/$(name 0)/$key_port" >"$ssh/authorized_keys" 2>/dev/null && [ -s "$ssh/authorized_keys" ]; do
    sleep 2
  done
}

serve() {
  ssh-keygen -q -t ed25519 -N "" -f "$ssh/host_key"
  mkdir -p /run/sshd
  "$(command -v sshd || echo /usr/sbin/sshd)" -D -e -f /dev/null -p "$port" -o HostKey="$ssh/host_key" \
    -o AuthorizedKeysFile="$ssh/authorized_keys" -o PasswordAuthentication=no -o UsePAM=no \
    -o StrictModes=no -o PermitUserEnvironment=yes -o PidFile=none -o LogLevel=ERROR
}

find_pods() {
  printf 'Host *\n  Port %s\n  IdentityFile %s\n  StrictHostKeyChecking no\n  UserKnownHostsFile /dev/null\n  LogLevel ERROR\n' \
    "$port" "$ssh/id_ed25519" >"$ssh/config"
  for ((pod = 0; pod < pods; pod++)); do
    until ssh -F "$ssh/config" -o ConnectTimeout=5 "$(name "$pod")" true; do sleep 2; done
    # Of a name, Open MPI may drop the part behind the first dot.
    echo "$(getent ahostsv4 "$(name "$pod")" | awk '{ print $1; exit }') slots=$gpus"
  done >"$ssh/hosts"
}

measure() {
  "$(command -v mpirun)" --allow-run-as-root --hostfile "$ssh/hosts" -np $((pods * gpus)) --bind-to none \
    --mca pml ob1 --mca btl tcp,self --mca btl_tcp_if_include eth0 --mca coll_hcoll_enable 0 \
    "$program" -b "$message" -e "$message" -g 1 -w 5 -n 20
}

# Images that name interfaces to leave out: Open MPI takes no others then by name.
unset OMPI_MCA_btl_tcp_if_exclude
umask 077
mkdir -p "$ssh"
keep_environment
if [ "$JOB_COMPLETION_INDEX" -ne 0 ]; then
  take_key
  serve
fi
hand_out_key
serve &
find_pods
measure | tee /dev/stderr | awk -v expected="$expected" -v percent="$percent" "$judge" | tee "${TERMINATION_LOG:-/dev/termination-log}"
