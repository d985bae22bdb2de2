#!/usr/bin/env bash
# Builds the benchmarks and prints their tables; without an argument all of them, else the one that is named.
set -euo pipefail

usage="usage: benchmarks/run.sh [round-trips | one-of-ten | stages | group-commit | audit | isolation | workers | catalog | workflows | kills]"
if (($# > 1)); then
    echo "$usage" >&2
    exit 2
fi
case ${1:-all} in
    all) plan="round-trips one-of-ten stages group-commit audit isolation workers catalog workflows kills" ;;
    round-trips | one-of-ten | stages | group-commit | audit | isolation | workers | catalog | workflows | kills) plan=$1 ;;
    *)
        echo "benchmarks: there is no benchmark '$1'; $usage" >&2
        exit 2
        ;;
esac

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
class_path=target/benchmarks.class-path

echo "benchmarks: building, then:" >&2
for part in $plan; do
    case $part in
        round-trips) echo "  round-trips  the machine, the library, the daemon and the SDK's client; about 75 s" ;;
        one-of-ten) echo "  one-of-ten   nine servers beside one that hangs; about 130 s" ;;
        stages) echo "  stages       what all stages cost a call (JMH); about 60 s" ;;
        group-commit) echo "  group-commit audit records synced in groups beside one by one; about 25 s" ;;
        audit) echo "  audit        a daemon without an audit beside daemons with one; about 4 min" ;;
        isolation) echo "  isolation    calls with a process each beside calls over one session; about 60 s" ;;
        workers) echo "  workers      calls of a served tool in a warm worker beside calls in its server; about 20 s" ;;
        catalog) echo "  catalog      ten thousand tools of a hundred servers: lists, searches, changes; about 20 s" ;;
        workflows) echo "  workflows    ten independent calls beside one, a step beside a plain call; about 10 s" ;;
        kills) echo "  kills        the SDK's client with and without a bridge while its server is killed; about 8 min" ;;
    esac
done >&2
(cd "$root" && ./mvnw -q -pl benchmarks -am compile dependency:build-classpath \
    -DincludeScope=runtime -Dmdep.outputFile="$class_path" -Dspotless.check.skip -Denforcer.skip) >&2
classes="$root/benchmarks/target/classes:$(<"$root/benchmarks/$class_path")"

for part in $plan; do
    case $part in
        round-trips) java -cp "$classes" io.mcpbridge.benchmarks.RoundTrips ;;
        one-of-ten) java -cp "$classes" io.mcpbridge.benchmarks.OneOfTen ;;
        stages) java -cp "$classes" org.openjdk.jmh.Main StageOrder ;;
        group-commit) java -cp "$classes" io.mcpbridge.benchmarks.GroupCommit ;;
        audit) java -cp "$classes" io.mcpbridge.benchmarks.AuditCost ;;
        isolation) java -cp "$classes" io.mcpbridge.benchmarks.Isolation ;;
        workers) java -cp "$classes" io.mcpbridge.benchmarks.WorkerCalls ;;
        catalog) java -cp "$classes" io.mcpbridge.benchmarks.CatalogCost ;;
        workflows) java -cp "$classes" io.mcpbridge.benchmarks.Workflows ;;
        kills) java -cp "$classes" io.mcpbridge.benchmarks.Kills ;;
    esac
done
