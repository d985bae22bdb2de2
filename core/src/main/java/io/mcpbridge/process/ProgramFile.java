package io.mcpbridge.process;

import io.mcpbridge.spi.Command;
import java.nio.file.Path;
import java.util.Optional;

/** Which file a command starts. */
public final class ProgramFile {

    private ProgramFile() {}

    /** The file that would be started now, on the child's own search path; empty where there is none. */
    public static Optional<Path> of(Command command) {
        return new ProcessStart(command, false).file();
    }
}
