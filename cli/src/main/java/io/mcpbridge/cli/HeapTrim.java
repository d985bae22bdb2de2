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
        // The bytes of the heap after the last trim: a heap that objects in use keep large is not collected each time.
        var kept = 0L;
        try {
            while (true) {
                Thread.sleep(interval.toMillis());
                if (Runtime.getRuntime().totalMemory() > Math.max(SMALL, 2 * kept)) {
                    // The first one leaves objects at the beginning of a large heap where they are.
                    System.gc();
                    System.gc();
                    kept = Runtime.getRuntime().totalMemory();
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
