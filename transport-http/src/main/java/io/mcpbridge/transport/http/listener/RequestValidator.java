package io.mcpbridge.transport.http.listener;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.spi.Secret;
import io.mcpbridge.transport.http.internal.HeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Validates the head of a request: unambiguous framing, host and origin, method, credentials and form. Immutable, so
 * all connections share it.
 */
final class RequestValidator {
    private static final Set<HttpMethod> SERVED = Set.of(HttpMethod.POST, HttpMethod.GET, HttpMethod.DELETE);

    /** Headers with one value: of two, another reader may use the other one. */
    private static final List<String> SINGLE =
            List.of(HeaderNames.SESSION_ID, HeaderNames.PROTOCOL_VERSION, HeaderNames.LAST_EVENT_ID);

    private final HttpListenerSettings settings;
    private final AllowedHostsAndOrigins hosts;
    private final BearerTokens tokens;
    private final CorsPolicy crossOrigin;

    RequestValidator(HttpListenerSettings settings) {
        this.settings = settings;
        this.hosts = new AllowedHostsAndOrigins(settings.host(), settings.allowedHosts(), settings.allowedOrigins());
        this.tokens = new BearerTokens(settings.tokens());
        this.crossOrigin = new CorsPolicy(settings.allowedOrigins());
    }

    /** Validates a head, except for the length of the body. */
    Validation judge(HttpRequest head) {
        var shared = crossOrigin.headers(head);
        var place = place(head);
        var ambiguity = findAmbiguity(head);
        if (ambiguity != null) {
            return Validation.refused(place, shared, ambiguity);
        }
        var misdirection = findMisdirection(head, place);
        if (misdirection != null) {
            return Validation.refused(place, shared, misdirection);
        }
        if (crossOrigin.isPreflight(head)) {
            // A preflight carries no credentials.
            return new Validation(Principal.ANONYMOUS, HttpEndpoint.PREFLIGHT, shared, Optional.empty());
        }
        var wrongMethod = findWrongMethod(head, place);
        if (wrongMethod != null) {
            return Validation.refused(place, shared, wrongMethod);
        }
        var principal = principal(head);
        if (principal.isEmpty()) {
            return Validation.refused(place, shared, unauthorized(head));
        }
        return new Validation(principal.get(), place, shared, Optional.ofNullable(findWrongForm(head, place)));
    }

    private HttpEndpoint place(HttpRequest head) {
        return switch (path(head.uri())) {
            case HttpEndpoint.SSE_PATH -> settings.sse() ? HttpEndpoint.SSE_STREAM : HttpEndpoint.STREAMABLE;
            case HttpEndpoint.MESSAGES_PATH -> settings.sse() ? HttpEndpoint.SSE_POST : HttpEndpoint.STREAMABLE;
            default -> HttpEndpoint.STREAMABLE;
        };
    }

    /** The path of a request target, which may be a whole URL. */
    private static String path(String target) {
        var path = target.startsWith("/") ? target : target.replaceFirst("(?i)^https?://[^/?]*", "");
        return path.indexOf('?') < 0 ? path : path.substring(0, path.indexOf('?'));
    }

    private @Nullable HttpRejection findAmbiguity(HttpRequest head) {
        if (!head.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
            return HttpRejection.fatal(505, "the version must be HTTP/1.1");
        }
        if (head.headers().size() > settings.limits().maxHeaders()) {
            return HttpRejection.fatal(
                    431, "more than %d headers".formatted(settings.limits().maxHeaders()));
        }
        var encodings = head.headers().getAll(HeaderNames.TRANSFER_ENCODING);
        boolean isChunked = encodings.size() == 1 && encodings.get(0).equalsIgnoreCase("chunked");
        if (!encodings.isEmpty() && !isChunked) {
            return HttpRejection.fatal(400, "Transfer-Encoding must be absent or 'chunked'");
        }
        if (head.headers().getAll(HeaderNames.HOST).size() != 1) {
            return HttpRejection.fatal(400, "exactly one Host header is required");
        }
        for (var name : SINGLE) {
            if (head.headers().getAll(name).size() > 1) {
                return HttpRejection.fatal(400, "more than one header '%s'".formatted(name));
            }
        }
        return null;
    }

    private @Nullable HttpRejection findMisdirection(HttpRequest head, HttpEndpoint place) {
        var host = head.headers().get(HeaderNames.HOST);
        if (!hosts.isAllowedHost(host)) {
            return HttpRejection.of(421, "the Host header does not name this listener; see 'allowed-hosts'");
        }
        for (var origin : head.headers().getAll(HeaderNames.ORIGIN)) {
            if (!hosts.isAllowedOrigin(origin)) {
                return HttpRejection.of(403, "this origin may not call; see 'allowed-origins'");
            }
        }
        var uri = head.uri();
        if (!uri.startsWith("/")) {
            var authority = uri.replaceFirst("(?i)^https?://", "").replaceFirst("[/?].*", "");
            if (uri.equals(authority) || !authority.equalsIgnoreCase(host)) {
                return HttpRejection.fatal(400, "the request target and the Host header name different hosts");
            }
        }
        boolean isServed = path(uri).equals(settings.path()) || place != HttpEndpoint.STREAMABLE;
        return isServed ? null : HttpRejection.of(404, "this path is not served");
    }

    private static @Nullable HttpRejection findWrongMethod(HttpRequest head, HttpEndpoint place) {
        if (place != HttpEndpoint.STREAMABLE) {
            var only = place == HttpEndpoint.SSE_STREAM ? HttpMethod.GET : HttpMethod.POST;
            return head.method().equals(only)
                    ? null
                    : HttpRejection.of(405, "the method must be " + only).with("allow", only.name());
        }
        if (SERVED.contains(head.method())) {
            return null;
        }
        return HttpRejection.of(405, "the method must be POST, GET or DELETE").with("allow", "POST, GET, DELETE");
    }

    /** The principal; empty if a token is required and missing or wrong. */
    private Optional<Principal> principal(HttpRequest head) {
        if (!tokens.isRequired()) {
            return Optional.of(Principal.ANONYMOUS);
        }
        var shown = head.headers().getAll(HeaderNames.AUTHORIZATION);
        return shown.size() == 1 ? tokens.holder(shown.get(0)) : Optional.empty();
    }

    private static HttpRejection unauthorized(HttpRequest head) {
        boolean showedOne = head.headers().contains(HeaderNames.AUTHORIZATION);
        var challenge =
                showedOne ? "Bearer realm=\"mcp-bridge\", error=\"invalid_token\"" : "Bearer realm=\"mcp-bridge\"";
        return HttpRejection.of(401, "a valid bearer token is required").with(HeaderNames.WWW_AUTHENTICATE, challenge);
    }

    private static @Nullable HttpRejection findWrongForm(HttpRequest head, HttpEndpoint place) {
        var headers = head.headers();
        if (headers.contains(HeaderNames.CONTENT_ENCODING)) {
            return HttpRejection.of(415, "a body must not be compressed");
        }
        var accepted = String.join(",", headers.getAll(HeaderNames.ACCEPT)).toLowerCase(Locale.ROOT);
        if (head.method().equals(HttpMethod.GET) && !accepts(accepted, HeaderNames.EVENT_STREAM)) {
            return HttpRejection.of(406, "Accept must allow text/event-stream");
        }
        if (head.method().equals(HttpMethod.POST)) {
            var types = headers.getAll(HeaderNames.CONTENT_TYPE);
            if (types.size() != 1 || !HeaderNames.mediaType(types.get(0)).equals(HeaderNames.JSON)) {
                return HttpRejection.of(415, "Content-Type must be application/json");
            }
            if (!HeaderNames.isUtf8(types.get(0))) {
                return HttpRejection.of(415, "the charset must be utf-8");
            }
            boolean answersHere = place == HttpEndpoint.STREAMABLE;
            if (answersHere && !(accepts(accepted, HeaderNames.EVENT_STREAM) && accepts(accepted, HeaderNames.JSON))) {
                return HttpRejection.of(406, "Accept must allow both application/json and text/event-stream");
            }
        }
        var expected = head.headers().get("expect");
        boolean isKnown = expected == null || expected.equalsIgnoreCase("100-continue");
        return isKnown ? null : HttpRejection.fatal(417, "Expect must be absent or '100-continue'");
    }

    /** The rejection of a body whose announced length is above the limit; empty for others. */
    Optional<HttpRejection> wrongLength(HttpRequest head) {
        var isTooLarge = HttpUtil.getContentLength(head, 0L) > settings.limits().maxBodyBytes();
        return isTooLarge ? Optional.of(tooLarge(settings.limits())) : Optional.empty();
    }

    static HttpRejection tooLarge(HttpListenerLimits limits) {
        return HttpRejection.fatal(
                413,
                "the body is larger than %d bytes, which is the limit 'client-frame' or, where it is set, 'max-body-bytes'"
                        .formatted(limits.maxBodyBytes()));
    }

    /** Whether the accepted types include this one; without the header, all do. */
    private static boolean accepts(String accepted, String type) {
        if (accepted.isBlank()) {
            return true;
        }
        var family = type.substring(0, type.indexOf('/')) + "/*";
        for (var range : accepted.split(",", -1)) {
            var name = HeaderNames.mediaType(range);
            boolean isRefused =
                    range.indexOf(';') >= 0 && range.replace(" ", "").matches(".*;q=0(\\.0*)?(;.*)?");
            if (!isRefused && (name.equals(type) || name.equals(family) || name.equals("*/*"))) {
                return true;
            }
        }
        return false;
    }

    /**
     * The result of the validation.
     *
     * @param crossOrigin CORS headers for every response to the request
     */
    record Validation(
            Principal principal, HttpEndpoint place, MessageHeaders crossOrigin, Optional<HttpRejection> refusal) {

        private static Validation refused(HttpEndpoint place, MessageHeaders crossOrigin, HttpRejection why) {
            return new Validation(Principal.ANONYMOUS, place, crossOrigin, Optional.of(why));
        }
    }

    /** The configured bearer tokens. Looks a token up in constant time. Immutable. */
    private static final class BearerTokens {
        private final List<Holder> holders = new ArrayList<>();

        BearerTokens(Map<String, Secret> tokens) {
            tokens.forEach((name, token) -> holders.add(new Holder(name, digest(token.reveal()))));
        }

        /** Whether a token is required. */
        boolean isRequired() {
            return !holders.isEmpty();
        }

        /** The holder of the token in an {@code Authorization} header. */
        Optional<Principal> holder(String authorization) {
            if (!authorization.regionMatches(true, 0, "Bearer ", 0, 7)) {
                return Optional.empty();
            }
            byte[] shown = digest(authorization.substring(7).strip());
            @Nullable Holder found = null;
            for (var each : holders) {
                // Compares all, so that the time does not reveal which token is similar.
                found = MessageDigest.isEqual(each.digest, shown) ? each : found;
            }
            return Optional.ofNullable(found).map(each -> new Principal(each.name, "token"));
        }

        private static byte[] digest(String token) {
            try {
                return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
            } catch (NoSuchAlgorithmException everyRuntimeHasIt) {
                throw new IllegalStateException(everyRuntimeHasIt);
            }
        }

        @SuppressWarnings("ArrayRecordComponent") // compared by MessageDigest.isEqual alone
        private record Holder(String name, byte[] digest) {}
    }
}
