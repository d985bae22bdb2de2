package io.mcpbridge.server;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.config.BridgeEnvironmentVariables;
import io.mcpbridge.failure.ConfigurationException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Restricts which tools a server offers. */
public enum ServerMode {
    /** All tools. */
    FULL,
    /** Only tools that are declared read-only. */
    READONLY,
    /** Like {@link #FULL}, with the audit in memory and without handlers for uncaught exceptions. */
    TEST,
    /** Only {@code server_ping}, and essential tools that need neither the network nor requests to the client. */
    MINIMAL;

    /** The capabilities that tools have in this mode. */
    public Set<Capability> capabilities() {
        return switch (this) {
            case FULL, TEST -> Set.of(Capability.values());
            case READONLY -> Set.of(Capability.NETWORK, Capability.ASK_CLIENT);
            case MINIMAL -> Set.of(Capability.WRITE);
        };
    }

    /**
     * The mode that the variables name, by default {@link #FULL}.
     *
     * @throws ConfigurationException if they name an unknown mode
     */
    static ServerMode from(BridgeEnvironmentVariables variables) {
        return variables.mode().map(ServerMode::parse).orElse(FULL);
    }

    private static ServerMode parse(String text) {
        try {
            return valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw ConfigurationException.of(
                    "the mode is '%s' but must be FULL, READONLY, TEST or MINIMAL; correct 'MCP_BRIDGE_MODE' or 'COLIBRI_MODE'"
                            .formatted(text));
        }
    }

    /** Why this mode does not admit a tool; empty if it does. */
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

    /** A capability that a tool may need and a {@link ServerMode} may lack. */
    public enum Capability {
        /** To change something; all tools need it that are not declared read-only. */
        WRITE,
        /** To reach other machines. */
        NETWORK,
        /** To send requests to the client during a call. */
        ASK_CLIENT
    }
}
