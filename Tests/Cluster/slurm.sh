#!/bin/bash
# A run in eight parts on a Slurm of this machine's own, one node: one task is killed and queued again, and what is merged is
# held against the same run on one machine. As root; `make cluster-test` installs what it takes.
#   slurm.sh PROGRAM [SCENARIO]
set -euo pipefail
program=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
scenario=$(realpath "${2:-$root/Tests/Cluster/divided.yaml}")
work=$(mktemp -d /tmp/rehearsal-cluster.XXXXXX)
daemons=()
end() {
  code=$?
  for daemon in "${daemons[@]}"; do kill "$daemon" 2>/dev/null || true; done
  if [ $code = 0 ]; then rm -rf --one-file-system "$work"; else echo "What is left of it lies in $work"; fi
}
trap end EXIT
trap 'exit 143' TERM INT
host=$(uname -n | cut -d. -f1)
cores=$(nproc)
memory=$(($(awk '/MemTotal/ {print $2}' /proc/meminfo) / 1024 * 9 / 10))
# A task that is queued again waits until the credentials of its first start have expired (cred_expire).
# Ports of its own, so that no other Slurm is in the way.
base=$((20000 + $$ % 20000))

mkdir -p "$work"/{state,spool,munge,run}
chmod 700 "$work/munge"
dd if=/dev/urandom of="$work/munge/key" bs=1024 count=1 status=none
chmod 400 "$work/munge/key"
munged --foreground --force --key-file="$work/munge/key" --socket="$work/run/munge" --pid-file="$work/run/munged.pid" \
  --log-file="$work/munge/log" --seed-file="$work/munge/seed" >"$work/munged.log" 2>&1 &
daemons+=($!)
cat >"$work/slurm.conf" <<END
ClusterName=rehearsal
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$base
SlurmdPort=$((base + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/run/munge,cred_expire=5
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/run/slurmctld.pid
SlurmdPidFile=$work/run/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
SchedulerParameters=batch_sched_delay=0,sched_interval=1
MinJobAge=3600
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cores RealMemory=$memory State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF="$work/slurm.conf"
waitfor() { # WHAT COMMAND…
  local what=$1
  shift
  for _ in $(seq 300); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.2
  done
  echo "waited a minute for $what"
  tail -n 20 "$work"/*.log
  return 1
}
waitfor munge test -S "$work/run/munge"
slurmctld -D >"$work/slurmctld.out" 2>&1 &
daemons+=($!)
slurmd -D >"$work/slurmd.out" 2>&1 &
daemons+=($!)
idle() { sinfo -h -o %T | grep -q idle; }
waitfor "the node to be idle" idle

echo "== the same run on one machine"
code=0
"$program" run "$scenario" --output "$work/local" --quiet || code=$?

echo "== in eight parts on Slurm $(sinfo --version | cut -d' ' -f2)"
"$program" parts "$scenario" --for slurm --parts 8 >"$work/submit.sh"
cd "$work"
merge=$(REHEARSE="$program" PARTS="$work/parts" OUTPUT="$work/merged" bash "$work/submit.sh" | tail -n 1)
array=$(squeue -h -o %F -n rehearse-parts | sort -u)
running() { squeue -h -r -t R -o %i -n rehearse-parts | grep -q .; }
waitfor "a task to run" running
task=$(squeue -h -r -t R -o %i -n rehearse-parts | head -n 1)
echo "== task $task is killed and queued again"
scontrol requeue "$task" || echo "it had ended before"
over() { scontrol show job "$merge" | grep -Eq 'JobState=(COMPLETED|FAILED|CANCELLED)'; }
for _ in $(seq 10); do over && break || waitfor "the merging" over || true; done
restarts=$(scontrol show job "$array" | grep -c 'Restarts=1' || true)
[ "$restarts" -ge 1 ] || { echo "no task was queued again"; exit 1; }
ended=$(scontrol show job "$merge" | sed -n 's/.*ExitCode=\([0-9]*\):.*/\1/p')
[ "$ended" = "$code" ] || { echo "the merging ended with $ended, the run on one machine with $code"; cat "$work/parts/merge.log"; exit 1; }
python3 - "$work/local/result.json" "$work/merged/result.json" <<'END'
import json, sys

def outside_machine(path):
    text = open(path).read()
    found = json.loads(text)
    start = text.index('\n  "machine": {')
    return text[:start] + text[text.index("\n  }", start):], found["digest"]

(own, digest), (merged, other) = map(outside_machine, sys.argv[1:])
assert digest == other, f"the digests differ: {digest}, {other}"
assert own == merged, "the results differ"
print(f"equal to the byte outside 'machine'; digest {digest}")
END
