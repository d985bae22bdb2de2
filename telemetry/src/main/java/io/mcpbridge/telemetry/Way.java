package io.mcpbridge.telemetry;

import io.mcpbridge.call.Sending;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.net.URI;
import java.net.URISyntaxException;

/** Tells how a message goes to its server: over what, to where, and in which revision. */
final class Way {

    private Way() {}

    static Attributes of(Sending sending) {
        var attributes = Attributes.builder()
                .put(Keys.PROTOCOL_VERSION, sending.version().text());
        if (!sending.network().isEmpty()) {
            attributes.put(Keys.TRANSPORT, sending.network());
        }
        switch (sending.network()) {
            case "tcp" -> http(attributes, sending.address());
            case "unix" -> attributes.put(Keys.SERVER_ADDRESS, sending.address());
            default -> {
                // A pipe has no address.
            }
        }
        return attributes.build();
    }

    private static void http(AttributesBuilder attributes, String address) {
        attributes.put(Keys.NETWORK_PROTOCOL, "http");
        try {
            var uri = new URI(address);
            if (uri.getHost() != null) {
                attributes.put(Keys.SERVER_ADDRESS, uri.getHost()).put(Keys.SERVER_PORT, port(uri));
            }
        } catch (URISyntaxException odd) {
            // Then it is not told; it was good enough for connecting.
        }
    }

    private static long port(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return "https".equals(uri.getScheme()) ? 443 : 80;
    }
}
