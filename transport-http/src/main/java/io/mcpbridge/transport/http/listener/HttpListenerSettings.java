package io.mcpbridge.transport.http.listener;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.BridgeLimits;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Secret;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.transport.http.internal.HeaderNames;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of an HTTP listener: its address, and the clients that may call it.
 *
 * @param host the address to bind; an address other than loopback requires tokens
 * @param port the port to bind; 0 lets the system choose one
 * @param path the only path that is served
 * @param allowedOrigins web origins that may call, such as {@code https://app.example}, in addition to those of this
 *     machine
 * @param allowedHosts host names by which clients may call, with or without a port, in addition to loopback names
 * @param tokens bearer tokens by the name of their holder; if empty, every client that reaches the port may call
 * @param sse whether HTTP+SSE of 2024-11-05 is served too, at {@code /sse}
 * @param limits sizes, time-outs and numbers
 */
public record HttpListenerSettings(
        String host,
        int port,
        String path,
        List<String> allowedOrigins,
        List<String> allowedHosts,
        Map<String, Secret> tokens,
        boolean sse,
        HttpListenerLimits limits) {
    private static final int SHORTEST_TOKEN = 16;

    public static final HttpListenerSettings DEFAULTS = new HttpListenerSettings(
            "127.0.0.1", 7450, "/mcp", List.of(), List.of(), Map.of(), true, HttpListenerLimits.DEFAULTS);

    public HttpListenerSettings {
        allowedOrigins = List.copyOf(allowedOrigins);
        allowedHosts = List.copyOf(allowedHosts);
        tokens = Map.copyOf(tokens);
        var validator = new MistakeCollector();
        validator.unless(!host.isBlank(), "host", host, "an address such as 127.0.0.1");
        validator.unless(port >= 0 && port <= 65_535, "port", port, "between 0 and 65535");
        validator.unless(
                path.startsWith("/") && path.indexOf('?') < 0 && path.indexOf('#') < 0,
                "path",
                path,
                "a path such as /mcp");
        allowedOrigins.forEach(each -> validator.unless(
                AllowedHostsAndOrigins.isOrigin(each),
                "allowed-origins",
                each,
                "an origin such as https://app.example"));
        allowedHosts.forEach(each -> validator.unless(
                AllowedHostsAndOrigins.isAuthority(each), "allowed-hosts", each, "a name such as bridge.example:7450"));
        tokens.forEach((name, token) -> checkToken(name, token, validator));
        validator.throwIfAny();
    }

    /** Reads the section of the listener; a key that is absent keeps its default. */
    public static HttpListenerSettings from(Settings settings) {
        return from(settings, BridgeLimits.usual());
    }

    /** Reads the section with the message limits of the environment. */
    static HttpListenerSettings from(Settings settings, BridgeLimits bridgeLimits) {
        var host = settings.text("host", DEFAULTS.host);
        int port = settings.integer("port", DEFAULTS.port);
        var path = settings.text("path", DEFAULTS.path);
        var origins = settings.texts("allowed-origins");
        var hosts = settings.texts("allowed-hosts");
        var tokens = new LinkedHashMap<String, Secret>();
        settings.textsByName("tokens").forEach((name, token) -> tokens.put(name, Secret.of(token)));
        boolean sse = settings.flag("sse", AllowedHostsAndOrigins.isLoopback(host));
        var limits =
                settings.noting(() -> HttpListenerLimits.read(settings, bridgeLimits), HttpListenerLimits.DEFAULTS);
        return settings.finish(() -> {
            var read = new HttpListenerSettings(host, port, path, origins, hosts, tokens, sse, limits);
            var unused = read.address();
            return read;
        });
    }

    /**
     * The address to bind.
     *
     * @throws ConfigurationException if the host cannot be resolved, or other machines reach it and there is no token
     */
    InetSocketAddress address() {
        InetAddress address;
        try {
            address = InetAddress.getByName(host);
        } catch (UnknownHostException unknown) {
            throw ConfigurationException.of(
                    "'host' is '%s', which cannot be resolved; it must be an address such as 127.0.0.1"
                            .formatted(host));
        }
        if (!address.isLoopbackAddress() && tokens.isEmpty()) {
            throw ConfigurationException.of(
                    "'host' is '%s', which other machines can reach, so 'tokens' must have at least one token; or use 127.0.0.1"
                            .formatted(host));
        }
        return new InetSocketAddress(address, port);
    }

    private static void checkToken(String name, Secret token, MistakeCollector validator) {
        validator.unless(!name.isBlank(), "tokens", name, "the name of the token's holder");
        if (!HeaderNames.isVisible(token.reveal()) || token.reveal().length() < SHORTEST_TOKEN) {
            validator.add("the token of '%s' must be at least %d visible ASCII characters; try openssl rand -hex 32"
                    .formatted(name, SHORTEST_TOKEN));
        }
    }
}
