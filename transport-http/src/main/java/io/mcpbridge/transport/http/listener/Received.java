package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.spi.Exchange.Kind;
import io.mcpbridge.transport.http.internal.Names;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What a client sent in one request. */
record Received(Kind kind, Optional<Message> message, Metadata headers, Principal principal, String httpVersion) {

    /** Headers that are ours to judge and nobody else's to see. */
    private static final Set<String> SECRET = Set.of(Names.AUTHORIZATION, "cookie", "proxy-authorization");

    static Kind kindOf(HttpRequest request) {
        if (request.method().equals(HttpMethod.POST)) {
            return Kind.MESSAGE;
        }
        if (!request.method().equals(HttpMethod.GET)) {
            return Kind.END;
        }
        return request.headers().contains(Names.LAST_EVENT_ID) ? Kind.RESUME : Kind.LISTEN;
    }

    static Received of(Kind kind, HttpRequest request, Principal principal) {
        var headers = request.headers();
        var shown = new HashMap<String, List<String>>();
        for (var name : headers.names()) {
            var folded = name.toLowerCase(Locale.ROOT);
            if (!SECRET.contains(folded)) {
                shown.put(folded, headers.getAll(folded));
            }
        }
        return new Received(kind, Optional.empty(), Metadata.of(shown), principal, version(request));
    }

    Received with(Message newMessage) {
        return new Received(kind, Optional.of(newMessage), headers, principal, httpVersion);
    }

    private static String version(HttpRequest request) {
        return request.protocolVersion().equals(HttpVersion.HTTP_1_0) ? "1.0" : "1.1";
    }

    /** Whether the client speaks a revision whose streams begin with an event without data. */
    boolean knowsPriming() {
        return headers.first(Names.PROTOCOL_VERSION)
                .filter(text -> !text.isBlank())
                .map(ProtocolVersion::new)
                .filter(spoken -> spoken.era() == Era.LEGACY)
                .filter(spoken -> spoken.text().compareTo(ProtocolVersion.V2025_11_25.text()) >= 0)
                .isPresent();
    }
}
