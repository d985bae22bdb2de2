package io.mcpbridge.orphans;

import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.workers.SandboxedCall;
import io.mcpbridge.workers.SandboxedTool;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A tool that starts every {@link StubbornChild}, and ends then as its argument {@code do} says. Its {@code value} is the run and the
 * level of their marks.
 */
public final class ForkingTool implements SandboxedTool {
    /** A child that sleeps, and that is there when all others are ready. */
    static final String LAST = "SLEEPS";

    @Override
    public @Nullable Object run(SandboxedCall call) throws Exception {
        var words = String.valueOf(call.arguments().get("value")).split("\\.", -1);
        var marks = Marks.of(words[0]);
        var level = SandboxLevel.valueOf(words[1]);
        for (var member : StubbornChild.values()) {
            start(member, marks.mark(level, member.name()));
        }
        started("exec sleep 1000", marks.mark(level, LAST));
        return end(String.valueOf(call.arguments().get("do")));
    }

    private static void start(StubbornChild member, String mark) throws IOException {
        var process = started(member.script(), mark);
        if (process.getInputStream().read() < 0) {
            throw new IllegalStateException(member + " did not start");
        }
        var drain = new Thread(() -> drain(process), "drain");
        drain.setDaemon(true);
        drain.start();
    }

    private static Process started(String script, String mark) throws IOException {
        var command = new ProcessBuilder("sh", "-c", script);
        command.environment().put(Marks.NAME, mark);
        return command.start();
    }

    private static void drain(Process process) {
        try {
            process.getErrorStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException ended) {
            // Then nothing comes any more.
        }
    }

    private static @Nullable Object end(String how) throws InterruptedException {
        switch (how) {
            case "HALT" -> Runtime.getRuntime().halt(7);
            case "OUT_OF_MEMORY" -> fill(new ArrayList<>());
            case "NORMAL_END" -> {}
            default -> new CountDownLatch(1).await();
        }
        return "done";
    }

    private static void fill(List<byte[]> all) {
        while (all.size() < Integer.MAX_VALUE) {
            all.add(new byte[1 << 20]);
        }
    }
}
