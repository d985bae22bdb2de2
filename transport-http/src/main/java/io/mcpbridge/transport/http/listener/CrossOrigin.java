package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.transport.http.internal.Names;
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
 * Tells browsers that pages of configured origins may call and read the answers. Nobody else hears of it, pages of this
 * machine included. Immutable.
 */
final class CrossOrigin {
    private static final String METHODS = "GET, POST, DELETE";
    private static final String READABLE = "mcp-session-id, www-authenticate, retry-after";
    private static final String MAX_AGE_SECONDS = "600";
    private static final String PARAMETER = "mcp-param-";
    private static final List<String> SENDABLE = List.of(
            Names.ACCEPT,
            Names.AUTHORIZATION,
            Names.CONTENT_TYPE,
            Names.LAST_EVENT_ID,
            "mcp-method",
            "mcp-name",
            Names.PROTOCOL_VERSION,
            Names.SESSION_ID);

    private final Set<String> origins;

    CrossOrigin(List<String> allowedOrigins) {
        this.origins = allowedOrigins.stream()
                .map(each -> each.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    /** What goes with every response to this request; nothing where no configured origin asks. */
    Metadata headers(HttpRequest request) {
        var named = request.headers().getAll(Names.ORIGIN);
        if (named.size() != 1 || !origins.contains(named.get(0).toLowerCase(Locale.ROOT))) {
            return Metadata.EMPTY;
        }
        return Metadata.EMPTY
                .with("access-control-allow-origin", named.get(0))
                .with("access-control-expose-headers", READABLE)
                .with("vary", "origin");
    }

    /** Whether a browser asks on behalf of a configured origin what it may send. */
    boolean isPreflight(HttpRequest request) {
        return request.method().equals(HttpMethod.OPTIONS)
                && request.headers().contains(Names.REQUEST_METHOD)
                && !headers(request).asMap().isEmpty();
    }

    /** The answer to that, beside what goes with every response. */
    static Metadata permission(HttpRequest preflight) {
        return Metadata.EMPTY
                .with("access-control-allow-methods", METHODS)
                .with("access-control-allow-headers", String.join(", ", sendable(preflight)))
                .with("access-control-max-age", MAX_AGE_SECONDS);
    }

    /** No pattern covers the headers that repeat parameters, so those that are asked for are named. */
    private static Set<String> sendable(HttpRequest preflight) {
        var parameters = preflight.headers().getAll(Names.REQUEST_HEADERS).stream()
                .flatMap(line -> Arrays.stream(line.split(",", -1)))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .filter(name -> name.startsWith(PARAMETER) && Names.isHeaderName(name));
        return Stream.concat(SENDABLE.stream(), parameters).collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
