package io.mcpbridge.transport.http.client;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/**
 * The URL of a server, in parts.
 *
 * @param url without its query, for messages
 * @param isTls whether the connection uses TLS
 * @param host without brackets
 * @param port the default one where the URL names none
 * @param path with its query, as requested
 * @param authority for the {@code Host} header
 */
record Endpoint(String url, boolean isTls, String host, int port, String path, String authority) {

    static Endpoint of(URI configured) {
        var url = URI.create(configured.toASCIIString());
        boolean isTls = url.getScheme().toLowerCase(Locale.ROOT).equals("https");
        var host = url.getHost();
        var bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        int port = url.getPort() >= 0 ? url.getPort() : isTls ? 443 : 80;
        var path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        var query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        var authority = url.getPort() >= 0 ? host + ":" + port : host;
        var shown = url.getScheme() + "://" + authority + path;
        return new Endpoint(shown, isTls, bare, port, path + query, authority);
    }

    /** The endpoint that a path or URL names relative to this one; empty if it has another origin. */
    Optional<Endpoint> sibling(String reference) {
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

    /** The failure to connect to it. */
    Failure unreachable(Throwable problem) {
        return TransportException.unreachable(url, problem).failure();
    }

    /** The failure when the bridge has closed the connection itself. */
    Failure closed() {
        return unreachable(new IOException("the connection was closed by the bridge"));
    }
}
