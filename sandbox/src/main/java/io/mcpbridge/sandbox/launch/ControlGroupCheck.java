package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.ProcessLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Control groups of version 2.
 *
 * @param root the folder of their file system
 */
record ControlGroupCheck(Path root) {
    static final ControlGroupCheck OF_THE_SYSTEM = new ControlGroupCheck(Path.of("/sys/fs/cgroup"));

    private static final List<String> NEEDED = List.of("memory", "pids");

    /** Why they cannot limit memory and processes, in a sentence; empty if they may. */
    Optional<String> missing() {
        String controllers;
        try {
            controllers =
                    " " + Files.readString(root.resolve("cgroup.controllers")).strip() + " ";
        } catch (IOException none) {
            return Optional.of("there is no unified control group hierarchy at " + root);
        }
        return NEEDED.stream()
                .filter(each -> !controllers.contains(" " + each + " "))
                .map(each -> "the control groups at %s have no controller '%s'".formatted(root, each))
                .findFirst();
    }

    /** A test for a shell, which succeeds if its group has these limits of memory and processes. */
    String test(ProcessLimits limits) {
        return "group='%s'$(sed -n s/^0:://p /proc/self/cgroup); test \"$(cat $group/pids.max)\" = %d && test \"$(cat $group/memory.max)\" = %d"
                .formatted(root, limits.processes(), limits.memoryBytes());
    }
}
