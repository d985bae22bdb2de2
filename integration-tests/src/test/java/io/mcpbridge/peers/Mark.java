package io.mcpbridge.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A variable that every process of these tests has, so that those left behind are found even when they lost their
 * parents. Where the system does not tell the environment of processes, none is found.
 */
final class Mark {
    private static final String NAME = "MCP_BRIDGE_TEST_MARK";
    private static final String VALUE = UUID.randomUUID().toString();

    private Mark() {}

    static Map<String, String> environment() {
        return Map.of(NAME, VALUE);
    }

    /** The processes with the mark that are there now, each with its command. */
    static List<String> processes() {
        return ProcessHandle.allProcesses()
                .filter(Mark::isOn)
                .map(process ->
                        process.pid() + " " + process.info().commandLine().orElse("that has ended"))
                .toList();
    }

    private static boolean isOn(ProcessHandle process) {
        try {
            var environment = Files.readAllBytes(Path.of("/proc/" + process.pid() + "/environ"));
            return new String(environment, StandardCharsets.ISO_8859_1).contains(NAME + "=" + VALUE);
        } catch (IOException goneOrForeign) {
            return false;
        }
    }
}
