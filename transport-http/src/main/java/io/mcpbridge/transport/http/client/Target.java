package io.mcpbridge.transport.http.client;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * The parts of an endpoint's URL.
 *
 * @param url the whole of it without its query, for messages
 * @param isTls whether it is spoken to over TLS
 * @param host without brackets
 * @param port the one that is meant where the URL names none
 * @param path with its query, as it is requested
 * @param authority for the {@code Host} header
 */
record Target(String url, boolean isTls, String host, int port, String path, String authority) {

    static Target of(URI configured) {
        var url = URI.create(configured.toASCIIString());
        boolean isTls = url.getScheme().toLowerCase(Locale.ROOT).equals("https");
        var host = url.getHost();
        var bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        int port = url.getPort() >= 0 ? url.getPort() : isTls ? 443 : 80;
        var path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        var query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        var authority = url.getPort() >= 0 ? host + ":" + port : host;
        var shown = url.getScheme() + "://" + authority + path;
        return new Target(shown, isTls, bare, port, path + query, authority);
    }

    /** The place that a path or URL names from here; empty unless it is of the same origin. */
    Optional<Target> sibling(String reference) {
        try {
            var here = URI.create((isTls ? "https://" : "http://") + authority + path);
            var there = here.resolve(reference.replace(" ", "%20"));
            boolean isPlain = there.getHost() != null && there.getRawUserInfo() == null && there.getScheme() != null;
            if (!isPlain || !there.getScheme().toLowerCase(Locale.ROOT).matches("https?")) {
                return Optional.empty();
            }
            var target = of(there);
            boolean isSameOrigin = target.isTls == isTls && target.port == port && target.host.equalsIgnoreCase(host);
            return isSameOrigin ? Optional.of(target) : Optional.empty();
        } catch (IllegalArgumentException notAUri) {
            return Optional.empty();
        }
    }

    /** Why nothing can be sent there. */
    Failure unreachable(Throwable problem) {
        return TransportException.unreachable(url, problem).failure();
    }

    /** Why nobody waits any longer. */
    Failure silent(Duration span, Delivery delivery) {
        var words = "timed out: no answer from '%s' within %d ms".formatted(url, span.toMillis());
        return Failure.of(ErrorCode.PROVIDER_TIMEOUT, words).withDelivery(delivery);
    }

    /** The same as unreachable, because we have ended it ourselves. */
    Failure closed() {
        return unreachable(new IOException("the connection was closed by the bridge"));
    }
}
