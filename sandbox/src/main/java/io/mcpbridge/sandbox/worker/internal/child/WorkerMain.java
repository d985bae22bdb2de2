package io.mcpbridge.sandbox.worker.internal.child;

import io.mcpbridge.sandbox.worker.internal.frame.WorkerArguments;
import java.io.IOException;
import java.util.List;

/** A worker: runs the tools that it is told to, one call at a time, until its input ends. */
public final class WorkerMain {

    private WorkerMain() {}

    /**
     * The whole life of the process.
     *
     * @param arguments any of {@link WorkerArguments}
     */
    public static void main(String[] arguments) throws IOException {
        var given = List.of(arguments);
        var orphans = given.contains(WorkerArguments.ALONE) ? Orphans.alone() : Orphans.amongOthers();
        var streams = WorkerStreams.take();
        var runner = new CallThread(streams.out(), streams.err(), orphans);
        runner.start();
        new OrderReader(streams.in(), runner).read();
        if (!given.contains(WorkerArguments.TRAINING)) {
            // What tools want to do at the end must not hold it up.
            orphans.endAll();
            Runtime.getRuntime().halt(0);
        }
    }
}
