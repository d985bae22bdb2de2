#!/usr/bin/env bash
# Builds the benchmarks and prints their tables. Takes about a minute once built.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
class_path=target/benchmarks.class-path

echo "benchmarks: building ..." >&2
(cd "$root" && ./mvnw -q -pl benchmarks -am compile dependency:build-classpath \
    -DincludeScope=runtime -Dmdep.outputFile="$class_path" -Dspotless.check.skip -Denforcer.skip) >&2

exec java -cp "$root/benchmarks/target/classes:$(<"$root/benchmarks/$class_path")" \
    io.mcpbridge.benchmarks.RoundTrips
