package io.mcpbridge.sandbox.worker.internal.child;

import java.io.IOException;

/** A worker: runs the tools that it is told to, one call at a time, until its input ends. */
public final class WorkerMain {

    private WorkerMain() {}

    /**
     * The whole life of the process.
     *
     * @param arguments none; or that it shall end as programs do, so that the virtual machine can keep the classes
     *     that it has loaded
     */
    public static void main(String[] arguments) throws IOException {
        var streams = WorkerStreams.take();
        var runner = new CallThread(streams.out(), streams.err());
        runner.start();
        new OrderReader(streams.in(), runner).read();
        if (arguments.length == 0) {
            // What tools want to do at the end must not hold it up.
            Orphans.endAll();
            Runtime.getRuntime().halt(0);
        }
    }
}
