package io.mcpbridge.sandbox.launch;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/** Launchers for tests. */
final class Sandboxes {

    private Sandboxes() {}

    /** What this machine has. */
    static SandboxLauncher open() {
        return open(PlainProcessLauncher.apart());
    }

    static SandboxLauncher open(ProcessLauncher plain) {
        return SandboxLauncher.open(Settings.of(Map.of()), plain, System.getenv());
    }

    /** What this machine has but for control groups, of tools that {@code folder} leads to. */
    static SandboxLauncher withoutScopes(Path folder) throws IOException {
        var tools = SystemTools.on(System.getenv().getOrDefault("PATH", ""));
        for (var name : List.of("setpriv", "prlimit", "unshare", "bwrap", "mount", "sh", "grep", "sed", "cat")) {
            var found = tools.find(name);
            if (found.isPresent()) {
                script(folder.resolve(name), "exec " + found.get() + " \"$@\"");
            }
        }
        var variables = Map.of("PATH", folder.toString());
        return SandboxLauncher.open(Settings.of(Map.of()), PlainProcessLauncher.apart(), variables);
    }

    /** A program that carries out {@code lines} by a shell. */
    static Path script(Path file, String lines) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + lines + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Skips the test, with the reason, where this machine does not have the level. */
    static void assume(SandboxLevel level) {
        try (var plain = new PlainProcessLauncher()) {
            var result = new LevelDetection(
                            plain, System.getenv(), new FakeTimekeeper(), ControlGroupCheck.OF_THE_SYSTEM)
                    .find(level);
            assumeTrue(
                    result.isAvailable(),
                    () -> "needs %s, which is not available here: %s".formatted(level, result.reason()));
        }
    }

    /** Skips the test, with the reason, where the wrapper does not work. */
    static void assume(CommandWrapper wrapper) {
        try (var plain = new PlainProcessLauncher()) {
            var result = new LevelDetection.Probe(plain, System.getenv().getOrDefault("PATH", ""))
                    .of(wrapper, ProcessLimits.NONE, "true");
            assumeTrue(result.isAvailable(), () -> "needs " + wrapper.name() + ": " + result.reason());
        }
    }
}
