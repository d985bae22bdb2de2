package io.mcpbridge.telemetry;

import io.mcpbridge.call.EndedSession;
import io.mcpbridge.call.Remote;
import io.mcpbridge.call.Sending;
import io.mcpbridge.message.ProtocolVersion;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.net.URI;
import java.net.URISyntaxException;

/** Tells how messages go to a server, and come from a client: over what, to where, and in which revision. */
final class Way {

    private Way() {}

    static Attributes of(Sending sending) {
        return toServer(sending.version(), sending.network(), sending.address());
    }

    /** How a session went, with a server or of a client. */
    static Attributes of(EndedSession session) {
        return toServer(session.version(), session.network(), session.address());
    }

    private static Attributes toServer(ProtocolVersion version, String network, String address) {
        var attributes = Attributes.builder().put(Keys.PROTOCOL_VERSION, version.text());
        put(attributes, Keys.TRANSPORT, network);
        if (network.equals("tcp")) {
            http(attributes, address);
        } else if (network.equals("unix")) {
            put(attributes, Keys.SERVER_ADDRESS, address);
        }
        return attributes.build();
    }

    /** How a client's request came in, without what tells one client from another. */
    static Attributes of(Remote remote) {
        var attributes = Attributes.builder();
        put(attributes, Keys.TRANSPORT, remote.network());
        put(attributes, Keys.NETWORK_PROTOCOL, remote.protocol());
        put(attributes, Keys.NETWORK_VERSION, remote.protocolVersion());
        return attributes.build();
    }

    private static void put(AttributesBuilder attributes, AttributeKey<String> key, String text) {
        if (!text.isEmpty()) {
            attributes.put(key, text);
        }
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
