package io.mcpbridge.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells a process that runs from one that has ended and only waits for its parent to notice. */
final class Zombies {
    private Zombies() {}

    /**
     * Whether the process has ended. A grandchild that lost its parent belongs to the system's first process,
     * which in a container may never collect it: to the JDK it would stay alive for ever.
     */
    static boolean isGone(ProcessHandle process) {
        return !process.isAlive() || state(process.pid()) == 'Z';
    }

    private static char state(long pid) {
        try {
            var line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            // The state follows the name, which stands in brackets and may hold brackets itself.
            var name = line.lastIndexOf(')');
            return name < 0 || name + 2 >= line.length() ? '?' : line.charAt(name + 2);
        } catch (IOException unreadable) {
            return '?';
        }
    }
}
