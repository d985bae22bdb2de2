package io.mcpbridge.engine.session;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.engine.session.DownstreamParts.KnownServers;
import io.mcpbridge.era.ParamHeaders;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MetaKeys;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.MirroredHeaders;
import io.mcpbridge.message.NumberText;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks whether a modern request can be served: its {@code _meta}, its method, and over HTTP the headers that repeat
 * parts of its body. Checks in the order of the specification.
 */
final class ModernRequestCheck {
    private static final int LONGEST_SHOWN = 100;

    /** Methods of the legacy era, and those that only servers send. */
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

    /** Returns the rejection of a request on a byte stream; empty if it can be served. */
    static Optional<Ending> onStream(Request request) {
        return claim(request)
                .or(() -> version(request))
                .or(() -> envelope(request))
                .or(() -> method(request));
    }

    /** Returns the rejection of an HTTP request; empty if it can be served. */
    static Optional<Ending> onHttp(Request request, Exchange exchange, KnownServers servers) {
        var headers = exchange.headers();
        return claim(request)
                .or(() -> versionHeader(request, headers))
                .or(() -> version(request))
                .or(() -> envelope(request))
                .or(() -> method(request))
                .or(() -> mirrored(request, headers, MirroredHeaders.METHOD, Optional.of(request.method())))
                .or(() -> mirrored(request, headers, MirroredHeaders.NAME, MirroredHeaders.name(request)))
                .or(() -> arguments(request, exchange.principal(), headers, servers));
    }

    private static Optional<Ending> claim(Request request) {
        if (request.text(MessageField.PROTOCOL_VERSION).isPresent()) {
            return Optional.empty();
        }
        var words = "'_meta' needs '%s' to be a text such as \"%s\", but has %s"
                .formatted(
                        MetaKeys.PROTOCOL_VERSION,
                        ProtocolVersion.LATEST,
                        request.raw(MessageField.PROTOCOL_VERSION).orElse("none"));
        return Optional.of(Rejections.invalidParams(request, words));
    }

    private static Optional<Ending> versionHeader(Request request, MessageHeaders headers) {
        return mirrored(request, headers, MirroredHeaders.VERSION, request.text(MessageField.PROTOCOL_VERSION));
    }

    private static Optional<Ending> version(Request request) {
        var claim = request.text(MessageField.PROTOCOL_VERSION).orElse("");
        return isServed(claim)
                ? Optional.empty()
                : Optional.of(Rejections.unsupportedVersion(
                        request, request.raw(MessageField.PROTOCOL_VERSION).orElse("\"\"")));
    }

    /** Whether the bridge serves this modern revision. */
    static boolean isServed(String version) {
        return ProtocolVersion.KNOWN.stream()
                .anyMatch(known -> known.text().equals(version) && known.era() == Era.MODERN);
    }

    private static Optional<Ending> envelope(Request request) {
        if (!isObject(request, MessageField.CLIENT_CAPABILITIES)) {
            return wrong(
                    request,
                    MetaKeys.CLIENT_CAPABILITIES,
                    "an object, {} if there are none",
                    MessageField.CLIENT_CAPABILITIES);
        }
        if (request.has(MessageField.CLIENT_INFO) && !isObject(request, MessageField.CLIENT_INFO)) {
            return wrong(
                    request, MetaKeys.CLIENT_INFO, "an object with 'name' and 'version'", MessageField.CLIENT_INFO);
        }
        if (request.has(MessageField.LOG_LEVEL)
                && request.text(MessageField.LOG_LEVEL).flatMap(LogLevel::parse).isEmpty()) {
            return wrong(
                    request,
                    MetaKeys.LOG_LEVEL,
                    "one of debug, info, notice, warning, error, critical, alert, emergency",
                    MessageField.LOG_LEVEL);
        }
        return Optional.empty();
    }

    private static Optional<Ending> wrong(Request request, String key, String rule, MessageField part) {
        var words = "'_meta' needs '%s' to be %s, but has %s"
                .formatted(key, rule, VisibleText.beginning(request.raw(part).orElse("none"), LONGEST_SHOWN));
        return Optional.of(Rejections.invalidParams(request, words));
    }

    private static Optional<Ending> method(Request request) {
        return REMOVED.contains(request.method()) ? Optional.of(Rejections.unknownMethod(request)) : Optional.empty();
    }

    /** Checks that a header equals the member of the body that it repeats, if the body has it. */
    private static Optional<Ending> mirrored(
            Request request, MessageHeaders headers, String name, Optional<String> said) {
        var values = headers.all(name);
        if (said.isEmpty()
                || (values.size() == 1 && MirroredHeaders.decode(values.get(0)).equals(said))) {
            return Optional.empty();
        }
        var found = values.isEmpty()
                ? "is missing"
                : "is '" + VisibleText.beginning(String.join("', '", values), LONGEST_SHOWN) + "'";
        var words = "the header '%s' %s, but the body says '%s'; both must say the same"
                .formatted(name, found, VisibleText.beginning(said.get(), LONGEST_SHOWN));
        return Optional.of(Rejections.headerMismatch(request, words));
    }

    private static boolean isObject(Request request, MessageField part) {
        return request.has(part) && request.bytes().get(request.start(part)) == '{';
    }

    /**
     * Checks the headers that repeat tool arguments, as the tool's schema requires; an unknown schema requires none.
     */
    private static Optional<Ending> arguments(
            Request request, Principal principal, MessageHeaders headers, KnownServers servers) {
        if (!request.method().equals(Methods.TOOLS_CALL)) {
            return Optional.empty();
        }
        var caller = Caller.ANONYMOUS.withPrincipal(principal).withVersion(ProtocolVersion.LATEST);
        return request.text(MessageField.NAME)
                .flatMap(tool -> servers.toolSchema(caller, tool))
                .flatMap(schema -> mismatch(request, schema, headers));
    }

    private static Optional<Ending> mismatch(Request request, String schema, MessageHeaders headers) {
        ParamHeaders params;
        try {
            params = ParamHeaders.of(schema);
        } catch (ProtocolException invalidSchema) {
            return Optional.empty();
        }
        if (params.isEmpty()) {
            return Optional.empty();
        }
        try {
            var said = params.values(request.raw(MessageField.ARGUMENTS).orElse("{}"));
            return params.names().stream()
                    .filter(name -> !isRepeated(said, name, headers.all(name)))
                    .findFirst()
                    .map(name -> wrongArgument(request, said, name));
        } catch (ProtocolException malformed) {
            return Optional.of(Rejections.invalidParams(
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
                && MirroredHeaders.decode(values.get(0))
                        .filter(text -> isSame(text, raw))
                        .isPresent();
    }

    /** Compares numbers by value, since both sides may write them differently. */
    private static boolean isSame(String text, String raw) {
        return text.equals(ParamHeaders.text(raw)) || (!raw.startsWith("\"") && isSameNumber(text, raw));
    }

    private static boolean isSameNumber(String one, String other) {
        var number = NumberText.read(other);
        return NumberText.read(one)
                .filter(value ->
                        number.filter(same -> value.compareTo(same) == 0).isPresent())
                .isPresent();
    }

    private static Ending wrongArgument(Request request, Map<String, String> said, String name) {
        var rule = said.containsKey(name) ? "must repeat" : "must be absent, as is";
        return Rejections.headerMismatch(
                request, "the header '%s' %s the argument that it stands for".formatted(name, rule));
    }
}
