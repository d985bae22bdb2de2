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
        var thread = new Thread(HeapTrim::run, "mcp-bridge-heap");
        thread.setDaemon(true);
        thread.start();
    }

    private static void run() {
        var needed = 0L;
        try {
            while (true) {
                Thread.sleep(INTERVAL.toMillis());
                if (Runtime.getRuntime().totalMemory() > Math.max(SMALL, 2 * needed)) {
                    // The first one leaves objects at the beginning of a large heap where they are.
                    System.gc();
                    System.gc();
                    needed = Runtime.getRuntime().totalMemory();
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
