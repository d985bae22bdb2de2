package io.mcpbridge.benchmarks;

import java.util.Map;
import java.util.Optional;

/** Runs the part of the benchmarks that its first argument names, and ends the process whatever threads a part leaves. */
final class Benchmark {
    private static final Map<String, Part> PARTS = Map.ofEntries(
            Map.entry("limits", MachineLimits::main),
            Map.entry("gateways", GatewayCalls::main),
            Map.entry("start", Starts::main),
            Map.entry("round-trips", RoundTrips::main),
            Map.entry("sizes", Sizes::main),
            Map.entry("many", Growth::main),
            Map.entry("audit", AuditCost::main),
            Map.entry("group-commit", GroupCommit::main),
            Map.entry("json", JsonCost::main),
            Map.entry("one-of-ten", OneOfTen::main),
            Map.entry("isolation", Isolation::main),
            Map.entry("workers", WorkerCalls::main),
            Map.entry("catalog", CatalogCost::main),
            Map.entry("workflows", Workflows::main),
            Map.entry("kills", Kills::main));

    private Benchmark() {}

    private interface Part {
        void run(String[] arguments) throws Exception;
    }

    public static void main(String[] arguments) {
        try {
            Optional.ofNullable(PARTS.get(arguments[0])).orElseThrow().run(arguments);
        } catch (Exception failed) {
            failed.printStackTrace();
            System.exit(1);
        }
        System.exit(0);
    }
}
