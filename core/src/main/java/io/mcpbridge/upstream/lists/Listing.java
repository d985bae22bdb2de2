package io.mcpbridge.upstream.lists;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.config.ListLimits;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.upstream.ListPage;
import io.mcpbridge.upstream.ListSource;
import io.mcpbridge.upstream.OwnRequest;
import io.mcpbridge.upstream.PageTrail;
import io.mcpbridge.upstream.Upstream;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Reads all pages of one list of one server; each listing is one object, used once. A server that does not declare
 * that it has such a list is not asked.
 */
final class Listing<T> {
    /** How a request ends whose connection ended. */
    private static final Set<ErrorCode> LOST = Set.of(ErrorCode.PROVIDER_UNAVAILABLE, ErrorCode.PROVIDER_CRASHED);

    private final ListSource source;
    private final Upstream upstream;
    private final ListKind<T> kind;
    private final Caller caller;
    private final Ending<T> ending;
    private final ListElements<T> elements;
    private final ListLimits limits;
    private final PageTrail trail;
    private final AtomicBoolean hasAskedAgain = new AtomicBoolean();
    private long bytes;
    private Validity validity = Validity.FOREVER;

    Listing(ListSource source, ListKind<T> kind, Caller caller, Ending<T> ending) {
        this.source = source;
        this.upstream = source.upstream();
        this.kind = kind;
        this.caller = caller.withoutSession();
        this.ending = ending;
        this.limits = upstream.settings().listLimits();
        this.trail = new PageTrail(kind.member());
        this.elements = new ListElements<>(source, kind, this.caller);
    }

    void begin() {
        if (upstream.profile().isPresent()) {
            askIfDeclared();
            return;
        }
        // What the server declares is known once a session was opened.
        send(upstream::connect, Methods.INITIALIZE, "{}", connected -> askIfDeclared());
    }

    private void askIfDeclared() {
        if (upstream.profile()
                .filter(profile -> profile.declares(kind.capability()))
                .isPresent()) {
            ending.asks();
            ask(trail.begin());
        } else {
            ending.listed(Sifted.nothing(), Validity.FOREVER);
        }
    }

    private void ask(String params) {
        send(upstream, kind.method(), params, this::answered);
    }

    private void send(Handler handler, String method, String params, Consumer<Response> then) {
        var deadline = source.deadline();
        var request = Request.of(MessageId.of(0), method, params);
        var call = Call.of(request, caller, ServerList.correlationId(upstream.name()), deadline);
        OwnRequest.send(handler, call, outcome -> {
            if (outcome instanceof Outcome.Failed failed) {
                if (mayAskAgain(failed.failure())) {
                    send(handler, method, params, then);
                } else {
                    ending.failed(failed.failure());
                }
            } else {
                then.accept(((Outcome.Answered) outcome).response());
            }
        });
    }

    /** Listing changes nothing, so a page that was lost with its connection is asked for once more. */
    private boolean mayAskAgain(Failure why) {
        var isLost = why.delivery() == Delivery.UNKNOWN
                && why.retryable()
                && LOST.contains(why.code())
                && source.mayBeAskedAgain();
        return isLost && !hasAskedAgain.getAndSet(true);
    }

    private void answered(Response response) {
        if (response.isError()) {
            refused(JsonRpcErrors.toFailure(response).withServer(upstream.name()));
            return;
        }
        try {
            take(response);
        } catch (BridgeException unusable) {
            ending.failed(invalid(unusable.failure().message()));
        }
    }

    /** Many servers that have resources know no templates, for example, and say so only when they are asked. */
    private void refused(Failure why) {
        var isUnknown = why.serverError()
                .filter(error -> error.code() == ErrorCode.METHOD_NOT_FOUND.jsonRpcCode())
                .isPresent();
        if (isUnknown && kind != ListKind.TOOLS) {
            ending.listed(Sifted.nothing(), Validity.FOREVER);
        } else {
            ending.failed(why);
        }
    }

    private void take(Response response) {
        var page = ListPage.of(response, kind.member(), limits);
        if (trail.isOver(page)) {
            end(Optional.empty());
            return;
        }
        if (upstream.era().filter(Era.MODERN::equals).isPresent()) {
            validity = validity.with(response);
        }
        if (keep(page)) {
            trail.next(page).ifPresentOrElse(this::ask, () -> end(Optional.empty()));
        } else {
            end(Optional.of(limits.words(upstream.name(), kind.toString())));
        }
    }

    /** Returns whether the limits leave room for all that stands on the page. */
    private boolean keep(ListPage page) {
        var index = 0;
        for (var raw : page.elements()) {
            var isTooLong = raw.length() > limits.bytes();
            bytes += isTooLong ? 0 : raw.length();
            if (elements.seen() >= limits.items() || bytes > limits.bytes()) {
                return false;
            }
            if (isTooLong) {
                elements.leaveOut(raw, limits.wordsForOne(raw.length()));
            } else {
                elements.add(raw, page.unreadable(index));
            }
            index++;
        }
        return true;
    }

    /** @param remark why some of the list was left out */
    private void end(Optional<String> remark) {
        source.remark(kind.toString(), remark);
        remark.ifPresent(source::dropped);
        ending.listed(elements.sifted(), validity);
    }

    private Failure invalid(String why) {
        return Failure.of(
                        ErrorCode.UPSTREAM_INVALID,
                        "server '%s' broke the protocol: %s".formatted(upstream.name(), why))
                .withDelivery(Delivery.ANSWERED)
                .withServer(upstream.name());
    }

    /** Hears how far the listing is, and once how it ended. */
    interface Ending<T> {

        /** The server is connected and is asked for its first page. */
        void asks();

        void listed(Sifted<T> listed, Validity validity);

        void failed(Failure why);
    }
}
