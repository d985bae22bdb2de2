package io.mcpbridge.cli;

import io.mcpbridge.failure.ConfigurationException;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Where to listen for HTTP.
 *
 * @param host a name or an address
 * @param port 0 to 65535; 0 lets the system choose
 */
record HttpAddress(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(?:(\\[[0-9a-fA-F:]+]|[^:\\[\\]]+):)?(\\d{1,5})");
    private static final int LAST_PORT = 65_535;

    static HttpAddress parse(String text) {
        var parts = FORM.matcher(text);
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > LAST_PORT) {
            throw ConfigurationException.of(
                    "--http is '%s' but must be a port, or host:port such as 127.0.0.1:7450".formatted(text));
        }
        var host = parts.group(1) == null ? "127.0.0.1" : parts.group(1);
        return new HttpAddress(host, Integer.parseInt(parts.group(2)));
    }

    /** As a listener's section has it. */
    Map<String, Object> values() {
        return Map.of("host", host, "port", port);
    }
}
