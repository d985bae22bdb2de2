package io.mcpbridge.cli;

import java.util.List;

/** Runs each short command once, so that the archive that the script makes of this process has the classes of all. */
final class CommandTraining {
    private static final List<String> COMMANDS =
            List.of("version", "health", "servers", "clients", "tools", "call demo.echo {\"message\":\"hello\"}");

    private CommandTraining() {}

    /** The variable {@code MCP_BRIDGE_SOCKET} names the socket of a daemon with the demo server. */
    public static void main(String[] arguments) {
        for (var command : COMMANDS) {
            var unused = Main.run(Output.standard(), command.split(" "));
        }
        System.exit(ExitCode.OK);
    }
}
