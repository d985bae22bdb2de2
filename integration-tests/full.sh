#!/usr/bin/env bash
# Runs all tests with their long loops at full length, which takes hours; arguments go to Maven.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
cd "$root"
exec ./mvnw verify \
    -Dtest.jvm= \
    -Dmcp-bridge.kills=100 \
    -Dmcp-bridge.isolated-calls=1000 \
    -Dmcp-bridge.start-cycles=1000 \
    -Dmcp-bridge.audit.kills=1000 \
    -Dmcp-bridge.audit.daemon-kills=100 \
    "$@"
