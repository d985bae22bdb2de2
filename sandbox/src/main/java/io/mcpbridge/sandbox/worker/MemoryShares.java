package io.mcpbridge.sandbox.worker;

import java.util.List;

/**
 * Divides the memory of a whole worker among the parts of a Java virtual machine that have a limit of their own.
 *
 * <p>The first 32 MiB are what the virtual machine needs before it runs anything: stacks of its fifteen threads, its own
 * code and tables (measured: 25 MiB). Of each sixteen parts of the rest the heap has 10; classes 3, at most 256 MiB, since
 * few programs have more; compiled code 1, at least 4 MiB, without which nothing starts, and at most 48, which is what the
 * first compiler has by default; direct buffers 1. The last one is left to what has no limit, such as more threads.
 */
record MemoryShares(int maxMemoryMb) {
    private static final int OF_THE_MACHINE_MB = 32;
    private static final int PARTS = 16;
    private static final int MOST_CLASSES_MB = 256;
    private static final int LEAST_CODE_MB = 4;
    private static final int MOST_CODE_MB = 48;

    /** The options of the virtual machine. */
    List<String> options() {
        var code = Math.max(LEAST_CODE_MB, Math.min(MOST_CODE_MB, share(1)));
        return List.of(
                "-Xms8m",
                "-Xmx%dm".formatted(share(10)),
                "-XX:MaxMetaspaceSize=%dm".formatted(Math.min(MOST_CLASSES_MB, share(3))),
                "-XX:ReservedCodeCacheSize=%dm".formatted(code),
                "-XX:MaxDirectMemorySize=%dm".formatted(share(1)),
                "-XX:+ExitOnOutOfMemoryError");
    }

    private int share(int parts) {
        return (maxMemoryMb - OF_THE_MACHINE_MB) * parts / PARTS;
    }
}
