package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.ProcessLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Checks for control groups of version 2.
 *
 * @param root the root folder of their file system
 */
record ControlGroupCheck(Path root) {
    static final ControlGroupCheck OF_THE_SYSTEM = new ControlGroupCheck(Path.of("/sys/fs/cgroup"));

    private static final List<String> NEEDED = List.of("memory", "pids");

    /** Why control groups cannot limit memory and processes, as a sentence; empty if they may. */
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

    /** A shell command that succeeds if the shell's group has these limits of memory and processes. */
    String test(ProcessLimits limits) {
        return "group='%s'$(sed -n s/^0:://p /proc/self/cgroup); test \"$(cat $group/pids.max)\" = %d && test \"$(cat $group/memory.max)\" = %d"
                .formatted(root, limits.processes(), limits.memoryBytes());
    }
}
