#!/usr/bin/env bash
# Builds and runs benchmarks and prints each goal beside its figure. Without an argument it runs all of "whole" and
# writes docs/performance.md. JAVA_HOME chooses the JDK of bridge and load; the page also shows the goals of earlier runs
# with other JDKs. It needs Linux, whose /proc has CPU time and memory. A part with an error or a wrong answer fails.
set -euo pipefail

whole="limits gateways start round-trips sizes many audit group-commit json one-of-ten isolation workers catalog workflows"
quick="gateways start round-trips sizes many audit"
gate="gateways round-trips sizes audit"
alone="kills"
# No part takes half as long.
limit=1200

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
peers=${XDG_CACHE_HOME:-$HOME/.cache}/mcp-bridge-benchmarks
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
jdk=$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/ *java.specification.version = //p')
options=("-Dbenchmarks.peers=$peers" "-Dbenchmarks.command=$root/mcp-bridge" -Duser.language=en -Duser.country=US
    -Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8)
ratios=$root/benchmarks/ratios.txt
page=$root/docs/performance.md
results=$root/benchmarks/target/results/$jdk

case $* in
    "") plan=$whole ;;
    --quick) plan=$quick page='' results+=-quick options+=(-Dbenchmarks.quick=true) ;;
    --gate)
        plan=$gate page='' results+=-gate options+=(-Dbenchmarks.alone=true)
        if ! grep -qx "java $jdk" "$ratios"; then
            echo "benchmarks: $ratios holds for $(grep '^java ' "$ratios"), this is java $jdk; set JAVA_HOME" >&2
            exit 2
        fi
        ;;
    *)
        plan=$* page='' results+=-one
        for part in $plan; do
            if [[ " $whole $alone " != *" $part "* ]]; then
                echo "usage: benchmarks/run.sh [--quick | --gate | NAME ...]; a NAME is one of $whole $alone" >&2
                exit 2
            fi
        done
        ;;
esac

# Installs a gateway by its package manager, once for each version: name, program, command.
install() {
    local name=$1 program=$peers/$2 log=$peers/install.log
    local installed=$program.installed
    shift 2
    if [[ -e $program && $(cat "$installed" 2>/dev/null) == "$*" ]]; then return; fi
    if "$@" >"$log" 2>&1; then
        echo "$*" >"$installed"
    else
        rm -f "$program"
        echo "skipped: $name: $(tail -n 1 "$log")" >&2
    fi
}

install_from_pypi() {
    python3 -m venv "$peers/$1" && "$peers/$1/bin/pip" install -q "$2"
}

run() {
    timeout --foreground --kill-after=20 "$limit" "$java" "${options[@]}" -cp "$classes" "$@"
}

echo "benchmarks: Java $jdk: $plan" >&2
(cd "$root" && ./mvnw -q -pl benchmarks -am compile dependency:build-classpath -DincludeScope=runtime \
    -Dmdep.outputFile=target/benchmarks.class-path -Dspotless.check.skip -Denforcer.skip) >&2
classes=$root/benchmarks/target/classes:$(<"$root/benchmarks/target/benchmarks.class-path")
"$root/mcp-bridge" version >/dev/null
# It makes archives of classes in the background.
has_archive() { grep -qs '/classes\.' "$root/cli/target/command/archives"; }
for ((i = 0; i < 120; i++)); do
    if has_archive; then break; fi
    sleep 1
done
has_archive || echo "benchmarks: the command has no archive of classes, so it starts slower than it can" >&2

if [[ " $plan " == *" gateways "* || " $plan " == *" start "* || " $plan " == *" audit "* ]]; then
    mkdir -p "$peers"
    install "server-everything and gateways of npm" npm/node_modules/.bin/mcp-proxy npm install --prefix "$peers/npm" \
        --no-audit --no-fund @modelcontextprotocol/server-everything@2026.8.31 mcp-proxy@6.7.19 supergateway@4.0.0 \
        mcp-hub@4.2.1
    if [[ $* != --gate ]]; then
        install "Rust mcp-proxy" rust/bin/mcp-proxy cargo install --quiet --locked --root "$peers/rust" mcp-proxy@0.6.0
    fi
    if [[ $* != --* ]]; then
        install "Go mcp-proxy" go/mcp-proxy env "GOBIN=$peers/go" go install github.com/TBXark/mcp-proxy@v0.43.2
        install "Python mcp-proxy" mcp-proxy/bin/mcp-proxy install_from_pypi mcp-proxy mcp-proxy==0.13
        install "Python fastmcp" fastmcp/bin/fastmcp install_from_pypi fastmcp fastmcp==4.1
    fi
fi

rm -rf "$results"
mkdir -p "$results"
failed=0
for part in $plan; do
    echo "benchmarks: $part, $(date +%T)" >&2
    run io.mcpbridge.benchmarks.Benchmark "$part" | tee "$results/$part.md" || failed=1
    if grep '^| errors, .*| short |$' "$results/$part.md" >&2; then failed=1; fi
done

case $* in
    "") run io.mcpbridge.benchmarks.Report "$results" "$page" $plan ;;
    --gate) run io.mcpbridge.benchmarks.Gate "$results" "$ratios" || failed=1 ;;
esac
exit $failed
