package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.era.HeaderText;
import io.mcpbridge.era.MirroredHeaders;
import io.mcpbridge.message.Part;
import io.mcpbridge.spi.Outgoing;
import java.util.List;
import java.util.TreeMap;

/** Makes the headers of a modern request, which repeat what its body says; no session is named. */
final class ModernHeaders {

    private ModernHeaders() {}

    static Metadata of(Outgoing out) {
        var message = out.message();
        var headers = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(out.headers().asMap());
        // The body decides: a server refuses headers that say anything else.
        var version = message.text(Part.PROTOCOL_VERSION).orElse(out.version().text());
        headers.put(MirroredHeaders.VERSION, List.of(HeaderText.encode(version)));
        MirroredHeaders.method(message)
                .ifPresent(method -> headers.put(MirroredHeaders.METHOD, List.of(HeaderText.encode(method))));
        MirroredHeaders.name(message)
                .ifPresent(name -> headers.put(MirroredHeaders.NAME, List.of(HeaderText.encode(name))));
        return Metadata.of(headers);
    }
}
