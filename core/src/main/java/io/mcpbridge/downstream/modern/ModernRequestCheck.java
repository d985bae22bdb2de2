package io.mcpbridge.downstream.modern;

import io.mcpbridge.call.LogLevel;
import io.mcpbridge.call.Metadata;
import io.mcpbridge.era.HeaderText;
import io.mcpbridge.era.MirroredHeaders;
import io.mcpbridge.message.EnvelopeKeys;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Ending;
import java.util.Optional;
import java.util.Set;

/** Whether a request of the modern era can be served, judged in the order that the specification sets. Pure. */
public final class ModernRequestCheck {
    /** Methods of the legacy era, and those that only servers ask. */
    private static final Set<String> REMOVED = Set.of(
            Methods.INITIALIZE,
            Methods.PING,
            Methods.LOGGING_SET_LEVEL,
            Methods.RESOURCES_SUBSCRIBE,
            Methods.RESOURCES_UNSUBSCRIBE,
            Methods.TASKS_LIST,
            Methods.TASKS_RESULT,
            Methods.SAMPLING_CREATE_MESSAGE,
            Methods.ELICITATION_CREATE,
            Methods.ROOTS_LIST);

    private ModernRequestCheck() {}

    /** The refusal of a request on a byte stream; empty if it can be served. */
    public static Optional<Ending> onStream(Request request) {
        return claim(request)
                .or(() -> version(request))
                .or(() -> envelope(request))
                .or(() -> method(request));
    }

    /** The refusal of a request with these headers; empty if it can be served. */
    static Optional<Ending> onHttp(Request request, Metadata headers) {
        return claim(request)
                .or(() -> versionHeader(request, headers))
                .or(() -> version(request))
                .or(() -> envelope(request))
                .or(() -> method(request))
                .or(() -> mirrored(request, headers, MirroredHeaders.METHOD, Optional.of(request.method())))
                .or(() -> mirrored(request, headers, MirroredHeaders.NAME, MirroredHeaders.name(request)));
    }

    private static Optional<Ending> claim(Request request) {
        if (request.text(Part.PROTOCOL_VERSION).isPresent()) {
            return Optional.empty();
        }
        var words = "'_meta' needs '%s' to be a text such as \"%s\", but has %s"
                .formatted(
                        EnvelopeKeys.PROTOCOL_VERSION,
                        ProtocolVersion.LATEST,
                        request.raw(Part.PROTOCOL_VERSION).orElse("none"));
        return Optional.of(ModernErrors.invalidEnvelope(request, words));
    }

    private static Optional<Ending> versionHeader(Request request, Metadata headers) {
        return mirrored(request, headers, MirroredHeaders.VERSION, request.text(Part.PROTOCOL_VERSION));
    }

    private static Optional<Ending> version(Request request) {
        var claim = request.text(Part.PROTOCOL_VERSION).orElse("");
        return isServed(claim)
                ? Optional.empty()
                : Optional.of(ModernErrors.unsupportedVersion(
                        request, request.raw(Part.PROTOCOL_VERSION).orElse("\"\"")));
    }

    /** Whether this is a revision of the modern era that is spoken here. */
    static boolean isServed(String version) {
        return ProtocolVersion.KNOWN.stream()
                .anyMatch(known -> known.text().equals(version) && known.era() == Era.MODERN);
    }

    private static Optional<Ending> envelope(Request request) {
        if (!isObject(request, Part.CLIENT_CAPABILITIES)) {
            return wrong(
                    request,
                    EnvelopeKeys.CLIENT_CAPABILITIES,
                    "an object, {} if there are none",
                    Part.CLIENT_CAPABILITIES);
        }
        if (request.has(Part.CLIENT_INFO) && !isObject(request, Part.CLIENT_INFO)) {
            return wrong(request, EnvelopeKeys.CLIENT_INFO, "an object with 'name' and 'version'", Part.CLIENT_INFO);
        }
        if (request.has(Part.LOG_LEVEL)
                && request.text(Part.LOG_LEVEL).flatMap(LogLevel::parse).isEmpty()) {
            return wrong(
                    request,
                    EnvelopeKeys.LOG_LEVEL,
                    "one of debug, info, notice, warning, error, critical, alert, emergency",
                    Part.LOG_LEVEL);
        }
        return Optional.empty();
    }

    private static Optional<Ending> wrong(Request request, String key, String rule, Part part) {
        var words = "'_meta' needs '%s' to be %s, but has %s"
                .formatted(key, rule, cut(request.raw(part).orElse("none")));
        return Optional.of(ModernErrors.invalidEnvelope(request, words));
    }

    private static Optional<Ending> method(Request request) {
        return REMOVED.contains(request.method()) ? Optional.of(ModernErrors.noSuchMethod(request)) : Optional.empty();
    }

    /** A header has to say what the body says, where the body says something. */
    private static Optional<Ending> mirrored(Request request, Metadata headers, String name, Optional<String> said) {
        var values = headers.all(name);
        if (said.isEmpty()
                || (values.size() == 1 && HeaderText.decode(values.get(0)).equals(said))) {
            return Optional.empty();
        }
        var found = values.isEmpty() ? "is missing" : "is '" + cut(String.join("', '", values)) + "'";
        var words = "the header '%s' %s, but the body says '%s'; both must say the same"
                .formatted(name, found, cut(said.get()));
        return Optional.of(ModernErrors.headerMismatch(request, words));
    }

    private static boolean isObject(Request request, Part part) {
        return request.has(part) && request.bytes().get(request.start(part)) == '{';
    }

    private static String cut(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "…";
    }
}
