package io.mcpbridge.sandbox.launch;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.LaunchCommand;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Hides variables such as {@code LD_PRELOAD} from the sandbox tools. They affect every program that starts with them,
 * but are meant for the child only.
 *
 * <p>They have other names while the wrappers start, and get their own names back for the child. No value appears on a
 * command line.
 */
final class DeferredVariables {
    private static final String PREFIX = "MCP_BRIDGE_LATE_";
    private static final Pattern LOADER = Pattern.compile("LD_[A-Za-z0-9_]+");
    private static final Set<String> OTHERS =
            Set.of("GLIBC_TUNABLES", "GCONV_PATH", "LOCPATH", "BASH_ENV", "ENV", "PS4");

    /** Variables that every shell reads and that cannot be restored. */
    private static final Pattern REFUSED = Pattern.compile("SHELLOPTS|BASHOPTS|BASH_FUNC_.*", Pattern.DOTALL);

    private static final String WHY =
            "the variable '%s' would act on the shells of its sandbox; remove it from 'env', or give the server"
                    + " \"sandbox\": {\"level\": \"L0\"}";

    private DeferredVariables() {}

    /**
     * Returns the command with the other names.
     *
     * @throws TransportException if a variable cannot be deferred
     */
    static LaunchCommand of(LaunchCommand command) {
        refusal(command).ifPresent(why -> {
            throw TransportException.initFailed("Cannot start '%s': %s".formatted(command, why));
        });
        var variables = command.variables().entrySet().stream()
                .collect(Collectors.toMap(each -> name(each.getKey()), Map.Entry::getValue));
        var late = LaunchCommand.of(command.words(), variables).within(command.limits());
        return command.folder().map(late::inFolder).orElse(late);
    }

    /** The words directly before the program, which restore the names; empty if the command has no such variables. */
    static List<String> words(SystemTools tools, LaunchCommand command) {
        var names = new TreeMap<>(command.variables()).keySet().stream().filter(DeferredVariables::isDeferred);
        var script = names.map("export %1$s=\"$MCP_BRIDGE_LATE_%1$s\"; unset MCP_BRIDGE_LATE_%1$s; "::formatted)
                .collect(Collectors.joining());
        return script.isEmpty() ? List.of() : tools.shell(script + "exec \"$@\"", "mcp-bridge-guard");
    }

    /** Why the command cannot run in a sandbox; empty if it can. */
    static Optional<String> refusal(LaunchCommand command) {
        var names = new TreeMap<>(command.variables()).keySet().stream();
        return names.filter(name -> REFUSED.matcher(name).matches()).findFirst().map(WHY::formatted);
    }

    private static String name(String name) {
        return isDeferred(name) ? PREFIX + name : name;
    }

    private static boolean isDeferred(String name) {
        return LOADER.matcher(name).matches() || OTHERS.contains(name);
    }
}
