package io.mcpbridge.telemetry;

import io.mcpbridge.call.AttemptTracer.Sending;
import io.mcpbridge.call.RequestOrigin.Remote;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.spi.CallObserver.EndedSession;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.net.URI;
import java.net.URISyntaxException;

/** The network attributes of messages: transport, address and protocol version. */
final class NetworkAttributes {

    private NetworkAttributes() {}

    static Attributes of(Sending sending) {
        return toServer(sending.version(), sending.network(), sending.address());
    }

    /** The attributes of a session, with a server or of a client. */
    static Attributes of(EndedSession session) {
        return toServer(session.version(), session.network(), session.address());
    }

    private static Attributes toServer(ProtocolVersion version, String network, String address) {
        var attributes = Attributes.builder().put(SemanticAttributes.PROTOCOL_VERSION, version.text());
        put(attributes, SemanticAttributes.TRANSPORT, network);
        if (network.equals("tcp")) {
            http(attributes, address);
        } else if (network.equals("unix")) {
            put(attributes, SemanticAttributes.SERVER_ADDRESS, address);
        }
        return attributes.build();
    }

    /** The attributes of a client's request, without those that identify the client. */
    static Attributes of(Remote remote) {
        var attributes = Attributes.builder();
        put(attributes, SemanticAttributes.TRANSPORT, remote.network());
        put(attributes, SemanticAttributes.NETWORK_PROTOCOL, remote.protocol());
        put(attributes, SemanticAttributes.NETWORK_VERSION, remote.protocolVersion());
        return attributes.build();
    }

    private static void put(AttributesBuilder attributes, AttributeKey<String> key, String text) {
        if (!text.isEmpty()) {
            attributes.put(key, text);
        }
    }

    private static void http(AttributesBuilder attributes, String address) {
        attributes.put(SemanticAttributes.NETWORK_PROTOCOL, "http");
        try {
            var uri = new URI(address);
            if (uri.getHost() != null) {
                attributes
                        .put(SemanticAttributes.SERVER_ADDRESS, uri.getHost())
                        .put(SemanticAttributes.SERVER_PORT, port(uri));
            }
        } catch (URISyntaxException odd) {
            // Leave out the address, which was valid for connecting.
        }
    }

    private static long port(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return "https".equals(uri.getScheme()) ? 443 : 80;
    }
}
