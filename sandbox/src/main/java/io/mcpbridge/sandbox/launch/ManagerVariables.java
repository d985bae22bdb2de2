package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.Command;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Variables by which {@code systemd-run} finds the service manager of our user. It gets ours, and what it starts has its own
 * again, or none: who can speak with that manager can start what it likes outside of its control group.
 *
 * @param own variables of ours
 */
record ManagerVariables(Map<String, String> own) {
    private static final List<String> NAMES = List.of("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS");
    private static final String KEPT = "MCP_BRIDGE_KEPT_";

    /** The command with ours, and with the child's under other names. */
    Command givenTo(Command command) {
        var variables = new TreeMap<>(command.variables());
        for (var name : NAMES) {
            var childs = variables.remove(name);
            if (childs != null) {
                variables.put(KEPT + name, childs);
            }
            if (own.containsKey(name)) {
                variables.put(name, own.get(name));
            }
        }
        var given = Command.of(command.words(), variables).within(command.limits());
        return command.folder().map(given::inFolder).orElse(given);
    }

    /** Words after those that need ours. No value stands on a command line. */
    List<String> takenBack(Tools tools, Command command) {
        var script = new StringBuilder("unset " + String.join(" ", NAMES) + "; ");
        for (var name : NAMES) {
            if (command.variables().containsKey(name)) {
                script.append("export %1$s=\"$%2$s%1$s\"; unset %2$s%1$s; ".formatted(name, KEPT));
            }
        }
        return List.of(tools.path("sh"), "-c", script + "exec \"$@\"", "mcp-bridge-guard");
    }
}
