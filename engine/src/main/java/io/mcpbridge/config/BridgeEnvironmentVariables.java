package io.mcpbridge.config;

import io.mcpbridge.failure.ConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The environment variables that the bridge reads. Immutable.
 *
 * <p>Each has a name that begins with {@code MCP_BRIDGE_}, and an older name that is read if the first is not set.
 */
public final class BridgeEnvironmentVariables {
    private static final List<String> TIMEOUT = List.of("MCP_BRIDGE_TIMEOUT", "COLIBRI_MCP_TIMEOUT");
    private static final List<String> STARTUP_TIMEOUT =
            List.of("MCP_BRIDGE_STARTUP_TIMEOUT_MS", "COLIBRI_STARTUP_TIMEOUT_MS");
    private static final List<String> MODE = List.of("MCP_BRIDGE_MODE", "COLIBRI_MODE");

    private static final String LEGACY = "AMS_";

    /** The variable for each meaning that a legacy variable has after {@code AMS_} or {@code AMS_MCP_}. */
    private static final Map<String, String> REPLACEMENTS = Map.of(
            "TIMEOUT", "MCP_BRIDGE_TIMEOUT",
            "STARTUP_TIMEOUT_MS", "MCP_BRIDGE_STARTUP_TIMEOUT_MS",
            "MODE", "MCP_BRIDGE_MODE",
            "SOCKET", "MCP_BRIDGE_SOCKET",
            "CLIENT_ID", "MCP_CLIENT_ID");

    private static final Pattern ENDPOINT = Pattern.compile("MCP_([A-Za-z0-9_]+)_ENDPOINT");
    private static final Pattern MILLIS = Pattern.compile("0*[1-9]\\d{0,11}");

    private final Map<String, String> values;

    private BridgeEnvironmentVariables(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Takes the variables.
     *
     * @throws ConfigurationException if the name of a variable begins with {@code AMS_}; the message names the right one
     */
    public static BridgeEnvironmentVariables of(Map<String, String> values) {
        var legacy = values.keySet().stream()
                .filter(name -> name.startsWith(LEGACY))
                .sorted()
                .map(BridgeEnvironmentVariables::refused)
                .toList();
        if (!legacy.isEmpty()) {
            throw ConfigurationException.ofAll(legacy);
        }
        return new BridgeEnvironmentVariables(Map.copyOf(values));
    }

    private static String refused(String name) {
        var replacement = REPLACEMENTS.get(name.substring(LEGACY.length()).replaceFirst("^MCP_", ""));
        return replacement == null
                ? "legacy %s: the bridge has no such variable; remove it".formatted(name)
                : "legacy %s: set '%s' instead".formatted(name, replacement);
    }

    /**
     * The time-out of the handshake and of each attempt, for servers whose sections name none.
     *
     * @throws ConfigurationException if the variable is not a positive whole number of milliseconds
     */
    public Duration timeout() {
        return millis(TIMEOUT, ServerSettings.DEFAULT_TIMEOUT);
    }

    /**
     * The time-out of the start of a server.
     *
     * @throws ConfigurationException if the variable is not a positive whole number of milliseconds
     */
    public Duration startupTimeout() {
        return millis(STARTUP_TIMEOUT, Duration.ofSeconds(30));
    }

    /**
     * The mode of a server, as it is written.
     *
     * @throws ConfigurationException if two variables name different modes
     */
    public Optional<String> mode() {
        var said = MODE.stream().filter(values::containsKey).map(values::get).toList();
        if (said.size() == 2 && !said.get(0).equalsIgnoreCase(said.get(1))) {
            throw ConfigurationException.of("the variable '%s' is '%s' but '%s' is '%s'; set one of them"
                    .formatted(MODE.get(0), said.get(0), MODE.get(1), said.get(1)));
        }
        return said.stream().findFirst();
    }

    /** The values of {@code MCP_<NAME>_ENDPOINT} by the server's name: lower case, {@code -} for each {@code _}. */
    public Map<String, String> endpoints() {
        var endpoints = new TreeMap<String, String>();
        values.forEach((variable, value) -> {
            var parts = ENDPOINT.matcher(variable);
            if (parts.matches()) {
                endpoints.put(parts.group(1).toLowerCase(java.util.Locale.ROOT).replace('_', '-'), value);
            }
        });
        return endpoints;
    }

    /** Whether a variable names the endpoint of a server. */
    static boolean nameEndpoints(Map<String, String> values) {
        return values.keySet().stream().anyMatch(name -> ENDPOINT.matcher(name).matches());
    }

    /** All values, by name. */
    public Map<String, String> values() {
        return values;
    }

    /** Contains only the number, since values may be secrets. */
    @Override
    public String toString() {
        return values.size() + " variables";
    }

    private Duration millis(List<String> names, Duration otherwise) {
        return first(names).map(this::millis).orElse(otherwise);
    }

    private Duration millis(String name) {
        var value = values.getOrDefault(name, "");
        if (!MILLIS.matcher(value).matches()) {
            throw ConfigurationException.of(
                    "the variable '%s' is '%s' but must be a positive whole number of milliseconds, such as 30000"
                            .formatted(name, value));
        }
        return Duration.ofMillis(Long.parseLong(value));
    }

    private Optional<String> first(List<String> names) {
        return names.stream().filter(values::containsKey).findFirst();
    }
}
