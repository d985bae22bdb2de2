package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.transport.http.internal.Names;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges the head of a request: whether it is unambiguous, meant for us, allowed and of the right form.
 * Immutable, so all connections share it.
 */
final class Gate {
    private static final Set<HttpMethod> SERVED = Set.of(HttpMethod.POST, HttpMethod.GET, HttpMethod.DELETE);

    private final HttpListenerSettings settings;
    private final Hosts hosts;
    private final Tokens tokens;
    private final CrossOrigin crossOrigin;

    Gate(HttpListenerSettings settings) {
        this.settings = settings;
        this.hosts = new Hosts(settings.host(), settings.allowedHosts(), settings.allowedOrigins());
        this.tokens = new Tokens(settings.tokens());
        this.crossOrigin = new CrossOrigin(settings.allowedOrigins());
    }

    Verdict judge(HttpRequest head) {
        var refusal = ambiguity(head);
        refusal = refusal != null ? refusal : misdirection(head);
        var permitted = refusal == null && crossOrigin.isPreflight(head);
        var verdict = new Verdict(
                Principal.ANONYMOUS,
                permitted ? Place.PREFLIGHT : place(head),
                crossOrigin.headers(head),
                Optional.ofNullable(refusal));
        // Browsers show no credentials when they ask what a page may send.
        return refusal != null || permitted ? verdict : judge(head, verdict);
    }

    private Verdict judge(HttpRequest head, Verdict soFar) {
        var refusal = wrongMethod(head, soFar.place);
        if (refusal != null) {
            return soFar.refused(refusal);
        }
        var principal = principal(head);
        if (principal.isEmpty()) {
            return soFar.refused(unauthorized(head));
        }
        refusal = wrongForm(head, soFar.place);
        return new Verdict(principal.get(), soFar.place, soFar.crossOrigin, Optional.ofNullable(refusal));
    }

    private Place place(HttpRequest head) {
        return switch (path(head.uri())) {
            case Place.EVENTS_PATH -> settings.sse() ? Place.EVENTS : Place.STREAMABLE;
            case Place.MESSAGES_PATH -> settings.sse() ? Place.MESSAGES : Place.STREAMABLE;
            default -> Place.STREAMABLE;
        };
    }

    /** The path of a target that may be a whole URL. */
    private static String path(String target) {
        var path = target.replaceFirst("(?i)^https?://[^/?]*", "");
        return path.indexOf('?') < 0 ? path : path.substring(0, path.indexOf('?'));
    }

    private @Nullable Refusal ambiguity(HttpRequest head) {
        if (!head.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
            return Refusal.fatal(505, "only HTTP/1.1 is spoken here");
        }
        if (head.headers().size() > settings.limits().maxHeaders()) {
            return Refusal.fatal(
                    431, "more than %d headers".formatted(settings.limits().maxHeaders()));
        }
        var encodings = head.headers().getAll(Names.TRANSFER_ENCODING);
        boolean isChunked = encodings.size() == 1 && encodings.get(0).equalsIgnoreCase("chunked");
        if (!encodings.isEmpty() && !isChunked) {
            return Refusal.fatal(400, "Transfer-Encoding must be absent or 'chunked'");
        }
        if (head.headers().getAll(Names.HOST).size() != 1) {
            return Refusal.fatal(400, "exactly one Host header is required");
        }
        return null;
    }

    private @Nullable Refusal misdirection(HttpRequest head) {
        var host = head.headers().get(Names.HOST);
        if (!hosts.isOurs(host)) {
            return Refusal.of(421, "this is not the host that the request names; see 'allowed-hosts'");
        }
        for (var origin : head.headers().getAll(Names.ORIGIN)) {
            if (!hosts.allowsOrigin(origin)) {
                return Refusal.of(403, "this origin may not call; see 'allowed-origins'");
            }
        }
        var uri = head.uri();
        if (!uri.startsWith("/")) {
            var authority = uri.replaceFirst("(?i)^https?://", "").replaceFirst("[/?].*", "");
            if (uri.equals(authority) || !authority.equalsIgnoreCase(host)) {
                return Refusal.fatal(400, "the request's target and its Host header name different places");
            }
        }
        boolean isServed = path(uri).equals(settings.path()) || place(head) != Place.STREAMABLE;
        return isServed ? null : Refusal.of(404, "there is nothing at this path");
    }

    private static @Nullable Refusal wrongMethod(HttpRequest head, Place place) {
        if (place != Place.STREAMABLE) {
            var only = place == Place.EVENTS ? HttpMethod.GET : HttpMethod.POST;
            return head.method().equals(only)
                    ? null
                    : Refusal.of(405, "the method must be " + only).with("allow", only.name());
        }
        if (SERVED.contains(head.method())) {
            return null;
        }
        return Refusal.of(405, "the method must be POST, GET or DELETE").with("allow", "POST, GET, DELETE");
    }

    /** Who calls; empty if they would have to prove it and did not. */
    private Optional<Principal> principal(HttpRequest head) {
        if (!tokens.areRequired()) {
            return Optional.of(Principal.ANONYMOUS);
        }
        var shown = head.headers().getAll(Names.AUTHORIZATION);
        return shown.size() == 1 ? tokens.holder(shown.get(0)) : Optional.empty();
    }

    private static Refusal unauthorized(HttpRequest head) {
        boolean showedOne = head.headers().contains(Names.AUTHORIZATION);
        var challenge =
                showedOne ? "Bearer realm=\"mcp-bridge\", error=\"invalid_token\"" : "Bearer realm=\"mcp-bridge\"";
        return Refusal.of(401, "a bearer token that this bridge knows is required")
                .with(Names.WWW_AUTHENTICATE, challenge);
    }

    private @Nullable Refusal wrongForm(HttpRequest head, Place place) {
        var headers = head.headers();
        if (headers.contains(Names.CONTENT_ENCODING)) {
            return Refusal.of(415, "a body must not be compressed");
        }
        var accepted = String.join(",", headers.getAll(Names.ACCEPT)).toLowerCase(Locale.ROOT);
        if (head.method().equals(HttpMethod.GET) && !accepts(accepted, Names.EVENT_STREAM)) {
            return Refusal.of(406, "Accept must allow text/event-stream");
        }
        if (head.method().equals(HttpMethod.POST)) {
            var types = headers.getAll(Names.CONTENT_TYPE);
            if (types.size() != 1 || !Names.mediaType(types.get(0)).equals(Names.JSON)) {
                return Refusal.of(415, "Content-Type must be application/json");
            }
            boolean answersHere = place == Place.STREAMABLE;
            if (answersHere && !(accepts(accepted, Names.EVENT_STREAM) && accepts(accepted, Names.JSON))) {
                return Refusal.of(406, "Accept must allow both application/json and text/event-stream");
            }
        }
        return wrongLength(head);
    }

    private @Nullable Refusal wrongLength(HttpRequest head) {
        if (HttpUtil.getContentLength(head, 0L) > settings.limits().maxBodyBytes()) {
            return tooLarge(settings.limits());
        }
        var expected = head.headers().get("expect");
        boolean isKnown = expected == null || expected.equalsIgnoreCase("100-continue");
        return isKnown ? null : Refusal.fatal(417, "Expect must be absent or '100-continue'");
    }

    static Refusal tooLarge(HttpListenerLimits limits) {
        return Refusal.fatal(
                413,
                "the body is larger than %d bytes, which is the limit 'client-frame' or, where it is set, 'max-body-bytes'"
                        .formatted(limits.maxBodyBytes()));
    }

    /** Whether the accepted types hold this one; no header accepts everything. */
    private static boolean accepts(String accepted, String type) {
        if (accepted.isBlank()) {
            return true;
        }
        var family = type.substring(0, type.indexOf('/')) + "/*";
        for (var range : accepted.split(",", -1)) {
            var name = Names.mediaType(range);
            boolean isRefused =
                    range.indexOf(';') >= 0 && range.replace(" ", "").matches(".*;q=0(\\.0*)?(;.*)?");
            if (!isRefused && (name.equals(type) || name.equals(family) || name.equals("*/*"))) {
                return true;
            }
        }
        return false;
    }

    /**
     * What the gate thinks of a request.
     *
     * @param crossOrigin headers for every response to it, for browsers
     */
    record Verdict(Principal principal, Place place, Metadata crossOrigin, Optional<Refusal> refusal) {

        private Verdict refused(Refusal why) {
            return new Verdict(principal, place, crossOrigin, Optional.of(why));
        }
    }
}
