package io.mcpbridge.cli;

import java.time.Duration;

/**
 * Gives the heap back to the system after a burst of large messages. The collector of the script shrinks it in full
 * collections only, and may not need one for hours.
 */
final class HeapTrim {
    private static final Duration INTERVAL = Duration.ofSeconds(30);

    /** A heap of this many bytes is not worth the pause of a collection, some 20 ms. */
    private static final long SMALL = 64L << 20;

    private HeapTrim() {}

    static void start() {
        start(INTERVAL);
    }

    static void start(Duration interval) {
        var thread = new Thread(() -> run(interval), "mcp-bridge-heap");
        thread.setDaemon(true);
        thread.start();
    }

    private static void run(Duration interval) {
        var runtime = Runtime.getRuntime();
        // The bytes in use after the last trim. A heap that is large for its objects in use is not collected each time.
        var used = 0L;
        try {
            while (true) {
                Thread.sleep(interval.toMillis());
                if (runtime.totalMemory() > Math.max(SMALL, 6 * used)) {
                    // The first one leaves objects at the beginning of a large heap where they are.
                    System.gc();
                    System.gc();
                    used = runtime.totalMemory() - runtime.freeMemory();
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
