package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.spi.Exchange.Kind;
import io.mcpbridge.transport.http.internal.HeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A request as it was received. */
record ReceivedRequest(Kind kind, Optional<Message> message, MessageHeaders headers, Principal principal) {

    /** Headers that the core does not see: those with credentials, and the one that differs from message to message. */
    private static final Set<String> HIDDEN =
            Set.of(HeaderNames.AUTHORIZATION, "cookie", "proxy-authorization", HeaderNames.CONTENT_LENGTH);

    /** A request without its message. */
    static ReceivedRequest of(HttpRequest request, Principal principal) {
        var shown = new HashMap<String, List<String>>();
        for (var header : request.headers()) {
            var name = header.getKey().toLowerCase(Locale.ROOT);
            if (!HIDDEN.contains(name)) {
                shown.merge(name, List.of(header.getValue()), ReceivedRequest::joined);
            }
        }
        return new ReceivedRequest(kindOf(request), Optional.empty(), MessageHeaders.of(shown), principal);
    }

    private static Kind kindOf(HttpRequest request) {
        if (request.method().equals(HttpMethod.POST)) {
            return Kind.MESSAGE;
        }
        if (!request.method().equals(HttpMethod.GET)) {
            return Kind.END;
        }
        return request.headers().contains(HeaderNames.LAST_EVENT_ID) ? Kind.RESUME : Kind.LISTEN;
    }

    private static List<String> joined(List<String> earlier, List<String> last) {
        return Stream.concat(earlier.stream(), last.stream()).toList();
    }

    ReceivedRequest with(Message newMessage) {
        return new ReceivedRequest(kind, Optional.of(newMessage), headers, principal);
    }

    /** Whether the client speaks a revision in which streams begin with an event without data. */
    boolean supportsPriming() {
        return headers.first(HeaderNames.PROTOCOL_VERSION)
                .filter(text -> !text.isBlank())
                .map(ProtocolVersion::new)
                .filter(spoken -> spoken.era() == Era.LEGACY)
                .filter(spoken -> spoken.text().compareTo(ProtocolVersion.V2025_11_25.text()) >= 0)
                .isPresent();
    }
}
