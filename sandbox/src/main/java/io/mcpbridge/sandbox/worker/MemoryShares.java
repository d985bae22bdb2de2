package io.mcpbridge.sandbox.worker;

import java.util.List;

/**
 * Divides the memory of a whole worker among the parts of a Java virtual machine that have a limit of their own.
 *
 * <p>In sixteenths: the heap 8; classes 3, at most 256 MiB, since few programs have more; compiled code 1, at most
 * 48 MiB, which is what the first compiler has by default; direct buffers 1. The last 3 are left to what has no
 * limit: the stacks of threads, the collector's tables, the compiler, the native allocator.
 */
record MemoryShares(int maxMemoryMb) {
    private static final int PARTS = 16;
    private static final int MOST_CLASSES_MB = 256;
    private static final int MOST_CODE_MB = 48;

    /** The options of the virtual machine. */
    List<String> options() {
        return List.of(
                "-Xms8m",
                "-Xmx%dm".formatted(share(8)),
                "-XX:MaxMetaspaceSize=%dm".formatted(Math.min(MOST_CLASSES_MB, share(3))),
                "-XX:ReservedCodeCacheSize=%dm".formatted(Math.min(MOST_CODE_MB, share(1))),
                "-XX:MaxDirectMemorySize=%dm".formatted(share(1)),
                "-XX:+ExitOnOutOfMemoryError");
    }

    private int share(int parts) {
        return maxMemoryMb * parts / PARTS;
    }
}
