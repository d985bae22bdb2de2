package io.mcpbridge.orphans;

import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.sandbox.launch.SandboxLauncher;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A launcher with every {@link StubbornChild} at every requested level, all of them ready. */
final class StubbornChildren implements AutoCloseable {
    private final SandboxLauncher launcher =
            SandboxLauncher.open(Settings.of(Map.of()), PlainProcessLauncher.apart(), System.getenv());
    private final List<ChildProcess> children = new ArrayList<>();

    /** The levels that this machine has. */
    static List<SandboxLevel> available() {
        try (var children = new StubbornChildren()) {
            return children.levels();
        }
    }

    private List<SandboxLevel> levels() {
        return List.of(SandboxLevel.values()).stream()
                .filter(level -> launcher.missing(level).isEmpty())
                .toList();
    }

    /** Starts them and waits until they are ready; those that keep the machine busy come last. */
    void start(List<SandboxLevel> levels, Marks marks) throws IOException, InterruptedException {
        for (var member : StubbornChild.values()) {
            for (var level : levels) {
                children.add(launched(member, level, marks));
            }
        }
    }

    private ChildProcess launched(StubbornChild member, SandboxLevel level, Marks marks)
            throws IOException, InterruptedException {
        var variables =
                Map.of("PATH", System.getenv().getOrDefault("PATH", ""), Marks.NAME, marks.mark(level, member.name()));
        var child = launcher.launch(LaunchCommand.of(List.of("sh", "-c", member.script()), variables)
                .requiring(level));
        if (child.stdout().read() < 0) {
            var words = new String(child.stderr().readAllBytes(), StandardCharsets.UTF_8);
            throw new IllegalStateException("%s did not start at %s: %s".formatted(member, level, words));
        }
        var drain = new Thread(() -> drain(child), "drain");
        drain.setDaemon(true);
        drain.start();
        return child;
    }

    private static void drain(ChildProcess child) {
        try {
            child.stderr().transferTo(OutputStream.nullOutputStream());
        } catch (IOException ended) {
            // Then nothing comes any more.
        }
    }

    List<ChildProcess> children() {
        return List.copyOf(children);
    }

    @Override
    public void close() {
        launcher.close();
    }
}
