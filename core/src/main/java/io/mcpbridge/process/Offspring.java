package io.mcpbridge.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells quickly that a process has no children, where Linux lists them by their parent. */
final class Offspring {
    private Offspring() {}

    /** False if the process has no children or has ended; true where that cannot be told. */
    static boolean mayBeThere(ProcessHandle process) {
        if (!process.isAlive()) {
            return false;
        }
        var threads = Pipes.PROCESSES.resolve(process.pid() + "/task");
        try (var folders = Files.newDirectoryStream(threads)) {
            for (var thread : folders) {
                if (hasStartedOne(thread)) {
                    return true;
                }
            }
            return false;
        } catch (IOException | DirectoryIteratorException unreadable) {
            return process.isAlive();
        }
    }

    private static boolean hasStartedOne(Path thread) throws IOException {
        try (var children = Files.newInputStream(thread.resolve("children"))) {
            return children.read() >= 0;
        }
    }
}
