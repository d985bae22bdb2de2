package io.mcpbridge.transport.http.client;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Secret;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.transport.http.internal.HeaderNames;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The settings of a transport to an HTTP server: its address, headers and time-outs.
 *
 * @param url the endpoint: {@code http} or {@code https}, with a host, without user and fragment
 * @param headers sent with every request; their values are secret
 * @param connectTimeout how long a connection, including TLS, may take
 * @param keepAlive how long an idle connection is kept; short, because the delivery of a call is unknown if the server
 *     closes the connection at the moment of its reuse
 * @param reconnectDelay the first delay before a broken stream is resumed, unless the server names one
 * @param streamTimeout how long the notification stream may be silent before it is opened again
 * @param connections how many connections requests may use at once
 */
public record HttpTransportSettings(
        URI url,
        Map<String, Secret> headers,
        Duration connectTimeout,
        Duration keepAlive,
        Duration reconnectDelay,
        Duration streamTimeout,
        int connections) {

    private static final String URL_RULE = "a URL such as https://host/mcp";

    private static final Set<String> RESERVED = Set.of(
            HeaderNames.ACCEPT,
            HeaderNames.CONNECTION,
            HeaderNames.CONTENT_ENCODING,
            HeaderNames.CONTENT_LENGTH,
            HeaderNames.CONTENT_TYPE,
            HeaderNames.HOST,
            HeaderNames.LAST_EVENT_ID,
            HeaderNames.PROTOCOL_VERSION,
            HeaderNames.SESSION_ID,
            HeaderNames.TRANSFER_ENCODING,
            "te",
            "trailer",
            "upgrade");

    public HttpTransportSettings {
        headers = Map.copyOf(headers);
        var validator = new MistakeCollector();
        checkUrl(url, validator);
        headers.forEach((name, value) -> checkHeader(name, value, validator));
        validator.unless(connectTimeout.toMillis() > 0, "connect-timeout", connectTimeout, "longer than zero");
        validator.unless(!keepAlive.isNegative(), "keep-alive", keepAlive, "zero or longer");
        validator.unless(!reconnectDelay.isNegative(), "reconnect-delay", reconnectDelay, "zero or longer");
        validator.unless(streamTimeout.toMillis() > 0, "stream-timeout", streamTimeout, "longer than zero");
        validator.unless(connections >= 1, "connections", connections, "at least 1");
        validator.throwIfAny();
    }

    /** The settings for {@code url}, with defaults for everything else. */
    public static HttpTransportSettings of(URI url) {
        return new HttpTransportSettings(
                url,
                Map.of(),
                Duration.ofSeconds(5),
                Duration.ofSeconds(4),
                Duration.ofMillis(500),
                Duration.ofMinutes(5),
                128);
    }

    /** Reads the section of a server; a key that is absent keeps its default, and {@code url} is required. */
    public static HttpTransportSettings from(Settings settings) {
        var url = settings.requiredText("url");
        var headers = new LinkedHashMap<String, Secret>();
        settings.textsByName("headers").forEach((name, value) -> headers.put(name, Secret.of(value)));
        var defaults = of(URI.create("http://localhost/"));
        var parsed = settings.noting(() -> parsed(url), defaults.url);
        var connectTimeout = settings.duration("connect-timeout", defaults.connectTimeout);
        var keepAlive = settings.duration("keep-alive", defaults.keepAlive);
        var reconnectDelay = settings.duration("reconnect-delay", defaults.reconnectDelay);
        var streamTimeout = settings.duration("stream-timeout", defaults.streamTimeout);
        var connections = settings.integer("connections", defaults.connections);
        return settings.finish(() -> new HttpTransportSettings(
                parsed, headers, connectTimeout, keepAlive, reconnectDelay, streamTimeout, connections));
    }

    private static URI parsed(String url) {
        try {
            return URI.create(url);
        } catch (IllegalArgumentException notAUri) {
            throw ConfigurationException.of(
                    "'url' is %s but must be %s".formatted(MistakeCollector.shown(url), URL_RULE));
        }
    }

    private static void checkUrl(URI url, MistakeCollector validator) {
        var scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        boolean isHttp = scheme.equals("http") || scheme.equals("https");
        validator.unless(isHttp && url.getHost() != null, "url", url, URL_RULE);
        validator.unless(url.getRawUserInfo() == null, "url", url, "without user and password; use 'headers'");
        validator.unless(url.getRawFragment() == null, "url", url, "without a fragment (#…)");
    }

    private static void checkHeader(String name, Secret value, MistakeCollector validator) {
        validator.unless(HeaderNames.isHeaderName(name), "headers", name, "named by letters, digits and dashes");
        if (RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
            validator.add("header '%s' is set by the bridge itself and must not be configured".formatted(name));
        }
        if (!HeaderNames.isHeaderValue(value.reveal())) {
            validator.add("the value of header '%s' must be printable ASCII without blanks around it".formatted(name));
        }
    }
}
