package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.transport.http.internal.HeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The CORS headers for pages of configured origins; other origins get none, pages of this machine included. Immutable.
 */
final class CorsPolicy {
    private static final String METHODS = "GET, POST, DELETE";
    private static final String READABLE = "mcp-session-id, www-authenticate, retry-after";
    private static final String MAX_AGE_SECONDS = "600";
    private static final String PARAMETER = "mcp-param-";
    private static final List<String> SENDABLE = List.of(
            HeaderNames.ACCEPT,
            HeaderNames.AUTHORIZATION,
            HeaderNames.CONTENT_TYPE,
            HeaderNames.LAST_EVENT_ID,
            "mcp-method",
            "mcp-name",
            HeaderNames.PROTOCOL_VERSION,
            HeaderNames.SESSION_ID);

    private final Set<String> origins;

    CorsPolicy(List<String> allowedOrigins) {
        this.origins = allowedOrigins.stream()
                .map(each -> each.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    /** The headers for every response to this request; empty unless a configured origin sent it. */
    MessageHeaders headers(HttpRequest request) {
        var named = request.headers().getAll(HeaderNames.ORIGIN);
        if (named.size() != 1 || !origins.contains(named.get(0).toLowerCase(Locale.ROOT))) {
            return MessageHeaders.EMPTY;
        }
        return MessageHeaders.EMPTY
                .with("access-control-allow-origin", named.get(0))
                .with("access-control-expose-headers", READABLE)
                .with("vary", "origin");
    }

    /** Whether this is a CORS preflight of a configured origin. */
    boolean isPreflight(HttpRequest request) {
        return request.method().equals(HttpMethod.OPTIONS)
                && request.headers().contains(HeaderNames.REQUEST_METHOD)
                && !headers(request).asMap().isEmpty();
    }

    /** The further headers of the response to a preflight. */
    static MessageHeaders permission(HttpRequest preflight) {
        return MessageHeaders.EMPTY
                .with("access-control-allow-methods", METHODS)
                .with("access-control-allow-headers", String.join(", ", sendable(preflight)))
                .with("access-control-max-age", MAX_AGE_SECONDS);
    }

    /** No wildcard covers the headers that repeat parameters, so the requested ones are listed. */
    private static Set<String> sendable(HttpRequest preflight) {
        var parameters = preflight.headers().getAll(HeaderNames.REQUEST_HEADERS).stream()
                .flatMap(line -> Arrays.stream(line.split(",", -1)))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .filter(name -> name.startsWith(PARAMETER) && HeaderNames.isHeaderName(name));
        return Stream.concat(SENDABLE.stream(), parameters).collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
