package io.mcpbridge.downstream.modern;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.downstream.calls.ToolSchemas;
import io.mcpbridge.era.HeaderText;
import io.mcpbridge.era.ParamHeaders;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.NumberText;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Ending;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether the headers of a call repeat its arguments as the tool's schema wants. Any thread. */
final class ParamHeaderCheck {
    private final ToolSchemas schemas;

    ParamHeaderCheck(ToolSchemas schemas) {
        this.schemas = schemas;
    }

    /** The refusal of a request with these headers; empty if they fit, or nothing is known of the tool. */
    Optional<Ending> of(Request request, Principal principal, Metadata headers) {
        if (!request.method().equals(Methods.TOOLS_CALL)) {
            return Optional.empty();
        }
        var caller = Caller.builder()
                .principal(principal)
                .version(ProtocolVersion.LATEST)
                .build();
        return request.text(Part.NAME)
                .flatMap(tool -> schemas.find(caller, tool))
                .flatMap(schema -> mismatch(request, schema, headers));
    }

    private static Optional<Ending> mismatch(Request request, String schema, Metadata headers) {
        ParamHeaders params;
        try {
            params = ParamHeaders.of(schema);
        } catch (ProtocolException serversMistake) {
            return Optional.empty();
        }
        if (params.isEmpty()) {
            return Optional.empty();
        }
        try {
            var said = params.values(request.raw(Part.ARGUMENTS).orElse("{}"));
            return params.names().stream()
                    .filter(name -> !isRepeated(said, name, headers.all(name)))
                    .findFirst()
                    .map(name -> refusal(request, said, name));
        } catch (ProtocolException malformed) {
            return Optional.of(ModernErrors.invalidEnvelope(
                    request,
                    "'arguments' cannot be read: " + malformed.failure().message()));
        }
    }

    private static boolean isRepeated(Map<String, String> said, String name, List<String> values) {
        var raw = said.get(name);
        if (raw == null) {
            return values.isEmpty();
        }
        return values.size() == 1
                && HeaderText.decode(values.get(0))
                        .filter(text -> saysTheSame(text, raw))
                        .isPresent();
    }

    /** Numbers are compared by their value, since each side may write them in its own way. */
    private static boolean saysTheSame(String text, String raw) {
        return text.equals(ParamHeaders.text(raw)) || (!raw.startsWith("\"") && isSameNumber(text, raw));
    }

    private static boolean isSameNumber(String one, String other) {
        var number = NumberText.read(other);
        return NumberText.read(one)
                .filter(value ->
                        number.filter(same -> value.compareTo(same) == 0).isPresent())
                .isPresent();
    }

    private static Ending refusal(Request request, Map<String, String> said, String name) {
        var rule = said.containsKey(name) ? "must repeat" : "must be absent, as is";
        return ModernErrors.headerMismatch(
                request, "the header '%s' %s the argument that it stands for".formatted(name, rule));
    }
}
