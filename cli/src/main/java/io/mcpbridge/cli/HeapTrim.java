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
        var limit = SMALL;
        try {
            while (true) {
                Thread.sleep(interval.toMillis());
                if (runtime.totalMemory() > limit) {
                    // The first one leaves objects at the beginning of a large heap where they are.
                    System.gc();
                    System.gc();
                    // A heap that stays as large, for its objects or by an option, is collected every seventh time.
                    limit = 2 * runtime.totalMemory();
                }
                limit = Math.max(SMALL, limit - limit / 10);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
