package io.mcpbridge.transport.stdio;

import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Starts children when the test lets it. */
final class HeldLauncher implements ProcessLauncher {
    private final ProcessLauncher launcher;
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final List<ChildProcess> children = new CopyOnWriteArrayList<>();

    HeldLauncher(ProcessLauncher launcher) {
        this.launcher = launcher;
    }

    @Override
    public ChildProcess launch(LaunchCommand command) throws InterruptedException {
        asked.countDown();
        released.await();
        var child = launcher.launch(command);
        children.add(child);
        return child;
    }

    void awaitAsked() throws InterruptedException {
        asked.await();
    }

    void release() {
        released.countDown();
    }

    /** Those that were started. */
    List<ChildProcess> children() {
        return List.copyOf(children);
    }

    @Override
    public void close() {
        launcher.close();
    }
}
