package io.mcpbridge.sandbox.launch;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.Command;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Variables that act on whatever is started with them, such as {@code LD_PRELOAD}: what holds a child must not heed them.
 * They bear other names until it has started, and get their own back for the child alone. No value stands on a command line.
 */
final class LateVariables {
    private static final String PREFIX = "MCP_BRIDGE_LATE_";
    private static final Pattern LOADER = Pattern.compile("LD_[A-Za-z0-9_]+");
    private static final Set<String> OTHERS =
            Set.of("GLIBC_TUNABLES", "GCONV_PATH", "LOCPATH", "BASH_ENV", "ENV", "PS4");

    /** What a shell takes in before it can be told not to, and cannot be given back. */
    private static final Pattern REFUSED = Pattern.compile("SHELLOPTS|BASHOPTS|BASH_FUNC_.*", Pattern.DOTALL);

    private static final String WHY =
            "the variable '%s' would act on the shells that hold it; take it out of 'env', or give the server"
                    + " \"sandbox\": {\"level\": \"L0\"}";

    private LateVariables() {}

    /**
     * The command with those names.
     *
     * @throws TransportException if a variable can be neither kept from the guards nor given back
     */
    static Command of(Command command) {
        refusal(command).ifPresent(why -> {
            throw TransportException.initFailed("Cannot start '%s': %s".formatted(command, why));
        });
        var variables = command.variables().entrySet().stream()
                .collect(Collectors.toMap(each -> name(each.getKey()), Map.Entry::getValue));
        var late = Command.of(command.words(), variables).within(command.limits());
        return command.folder().map(late::inFolder).orElse(late);
    }

    /** Words that stand directly before the program; none where it has no such variables. */
    static List<String> words(Tools tools, Command command) {
        var names = new TreeMap<>(command.variables()).keySet().stream().filter(LateVariables::isLate);
        var script = names.map("export %1$s=\"$MCP_BRIDGE_LATE_%1$s\"; unset MCP_BRIDGE_LATE_%1$s; "::formatted)
                .collect(Collectors.joining());
        return script.isEmpty()
                ? List.of()
                : List.of(tools.path("sh"), "-c", script + "exec \"$@\"", "mcp-bridge-guard");
    }

    /** Why the command cannot be held; empty if it can. */
    static Optional<String> refusal(Command command) {
        var names = new TreeMap<>(command.variables()).keySet().stream();
        return names.filter(name -> REFUSED.matcher(name).matches()).findFirst().map(WHY::formatted);
    }

    private static String name(String name) {
        return isLate(name) ? PREFIX + name : name;
    }

    private static boolean isLate(String name) {
        return LOADER.matcher(name).matches() || OTHERS.contains(name);
    }
}
