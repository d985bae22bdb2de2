package io.mcpbridge.orphans;

import io.mcpbridge.spi.SandboxLevel;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** A program with pools, which closes them when it receives TERM. */
final class WorkerPoolProgram {

    private WorkerPoolProgram() {}

    /** Takes the run of the marks and the levels; says {@code ready} when all calls are under way. */
    public static void main(String[] arguments) throws Exception {
        var levels = Stream.of(arguments).skip(1).map(SandboxLevel::valueOf).toList();
        var pools = new WorkerPools(levels, Marks.of(arguments[0]));
        Runtime.getRuntime().addShutdownHook(new Thread(pools::close));
        pools.begin();
        System.out.println("ready");
        new CountDownLatch(1).await();
    }
}
