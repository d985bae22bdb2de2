package io.mcpbridge.serve;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.config.Variables;
import io.mcpbridge.failure.ConfigurationException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** How much of itself a server offers. */
public enum Mode {
    /** Everything. */
    FULL,
    /** No tool that is not declared read-only. */
    READONLY,
    /** As {@link #FULL}, with the audit kept in memory and without handlers of uncaught failures. */
    TEST,
    /** {@code server_ping}, and tools that are declared essential and need nothing from outside. */
    MINIMAL;

    /** What tools have in this mode. */
    public Set<Capability> capabilities() {
        return switch (this) {
            case FULL, TEST -> Set.of(Capability.values());
            case READONLY -> Set.of(Capability.NETWORK, Capability.ASK_CLIENT);
            case MINIMAL -> Set.of(Capability.WRITE);
        };
    }

    /**
     * What the variables say, {@link #FULL} where they say nothing.
     *
     * @throws ConfigurationException if they name no mode, or two
     */
    static Mode from(Variables variables) {
        return variables.mode().map(Mode::parse).orElse(FULL);
    }

    private static Mode parse(String text) {
        return Arrays.stream(values())
                .filter(mode -> mode.name().equals(text.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> ConfigurationException.of(
                        "the mode is '%s' but must be FULL, READONLY, TEST or MINIMAL; correct 'MCP_BRIDGE_MODE' or 'COLIBRI_MODE'"
                                .formatted(text)));
    }

    /** Why a tool is not admitted in this mode; empty if it is. */
    Optional<String> refuses(ToolConfig tool) {
        if (this == MINIMAL && !tool.isEssential()) {
            return Optional.of("is not declared essential");
        }
        if (this == READONLY && !tool.hints().readOnly()) {
            return Optional.of("is not declared read-only");
        }
        var missing = new TreeSet<>(tool.needs());
        missing.removeAll(capabilities());
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("needs " + missing.stream().map(Capability::name).collect(joining(" and ")));
    }
}
