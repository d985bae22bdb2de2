package io.mcpbridge.testkit.faulty;

import java.util.concurrent.CountDownLatch;

/** The process that is nothing but the server. */
final class ProcessHost implements Host {
    private final CountDownLatch never = new CountDownLatch(1);
    private volatile boolean hangs;

    @Override
    public void exit(int code) {
        Runtime.getRuntime().halt(code);
    }

    @Override
    public void hang() throws InterruptedException {
        hangs = true;
        never.await();
    }

    @Override
    public boolean isHanging() {
        return hangs;
    }

    /** The JVM ends after SIGTERM only when its hooks have run. */
    @Override
    public void ignoreTermination() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stay, "faulty-stay"));
    }

    /** Waits for the end of the process. */
    void stay() {
        try {
            never.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
