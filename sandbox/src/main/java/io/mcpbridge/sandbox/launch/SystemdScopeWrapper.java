package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.LaunchCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Starts the child in a control group by {@code systemd-run}: the kernel limits the memory and the number of the child
 * and its descendants. The tool then executes the words that follow it.
 *
 * @param own the bridge's variables; only those that locate the service manager are kept
 */
record SystemdScopeWrapper(
        ControlGroupCheck groups, SystemTools tools, CommandWrapper inner, boolean isRoot, Map<String, String> own)
        implements CommandWrapper {

    SystemdScopeWrapper {
        own = new TreeMap<>(own);
        own.keySet().retainAll(ManagerVariables.NAMES);
    }

    @Override
    public String name() {
        return "systemd-run";
    }

    @Override
    public Optional<String> missing() {
        return groups.missing()
                .or(() -> tools.missing("systemd", "systemd-run"))
                .or(() -> tools.missing("util-linux", "setpriv"));
    }

    @Override
    public LaunchCommand wrap(LaunchCommand command) {
        var limits = command.limits();
        // First, so that it dies with the bridge while it still requests its group.
        var words = new ArrayList<>(List.of(tools.path("setpriv"), "--pdeathsig", "KILL", "--"));
        words.add(tools.path("systemd-run"));
        if (!isRoot) {
            words.add("--user");
        }
        words.addAll(List.of("--scope", "--quiet", "--collect"));
        if (limits.memoryBytes() > 0) {
            words.addAll(List.of("-p", "MemoryMax=" + limits.memoryBytes(), "-p", "MemorySwapMax=0"));
        }
        var wrapped = inner.wrap(command);
        if (limits.processes() > 0) {
            var guards = wrapped.wrapper().stays() ? SandboxedProcess.GUARDS : 0;
            words.addAll(List.of("-p", "TasksMax=" + (limits.processes() + guards)));
        }
        words.add("--");
        var deferred = DeferredVariables.of(command);
        if (!isRoot) {
            var manager = new ManagerVariables(own);
            words.addAll(manager.restore(tools, deferred));
            deferred = manager.withOurs(deferred);
        }
        words.addAll(wrapped.wrapper().words());
        return wrapped.wrapper().stays() ? deferred.guardedBy(words) : deferred.through(words);
    }

    /**
     * The variables by which {@code systemd-run} finds the service manager of the bridge's user. It gets the bridge's
     * values; the child gets its own values again, or none. A process that reaches the manager can start others outside
     * of its control group.
     *
     * @param own the bridge's variables
     */
    private record ManagerVariables(Map<String, String> own) {
        private static final List<String> NAMES = List.of("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS");
        private static final String KEPT = "MCP_BRIDGE_KEPT_";

        /** Returns the command with the bridge's variables, and with those of the child under other names. */
        LaunchCommand withOurs(LaunchCommand command) {
            var variables = new TreeMap<>(command.variables());
            for (var name : NAMES) {
                var ofChild = variables.remove(name);
                if (ofChild != null) {
                    variables.put(KEPT + name, ofChild);
                }
                if (own.containsKey(name)) {
                    variables.put(name, own.get(name));
                }
            }
            var withOurs = LaunchCommand.of(command.words(), variables).within(command.limits());
            return command.folder().map(withOurs::inFolder).orElse(withOurs);
        }

        /**
         * The words after those that need the bridge's variables; they restore the child's. No value appears on a
         * command line.
         */
        List<String> restore(SystemTools tools, LaunchCommand command) {
            var script = new StringBuilder("unset " + String.join(" ", NAMES) + "; ");
            for (var name : NAMES) {
                if (command.variables().containsKey(name)) {
                    script.append("export %1$s=\"$%2$s%1$s\"; unset %2$s%1$s; ".formatted(name, KEPT));
                }
            }
            return tools.shell(script + "exec \"$@\"", "mcp-bridge-guard");
        }
    }
}
