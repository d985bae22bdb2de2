package io.mcpbridge.downstream.listening;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.CorrelationIds;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.downstream.calls.DownstreamParts;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The beginning of a {@link ClientListen}: has the servers asked for the resources that it wants to hear of, and opens
 * it with those that were granted. Any thread.
 */
final class ListenStart {
    /** How long the acknowledgement waits for the slowest server. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final DownstreamParts parts;
    private final ClientListen stream;
    private final ClientListenFilter wanted;
    private final Set<String> granted = new ConcurrentSkipListSet<>();
    private final AtomicInteger missing;

    ListenStart(DownstreamParts parts, ClientListen stream, ClientListenFilter wanted) {
        this.parts = parts;
        this.stream = stream;
        this.wanted = wanted;
        // One more than the resources, so that answers which come at once do not open it early.
        this.missing = new AtomicInteger(wanted.resources().size() + 1);
    }

    void begin() {
        wanted.resources().forEach(this::subscribe);
        arrived();
    }

    private void subscribe(String uri) {
        var environment = parts.environment();
        var params = "{\"uri\":" + JsonText.quote(uri) + "}";
        var call = Call.of(
                Request.of(MessageId.of(uri), Methods.RESOURCES_SUBSCRIBE, params),
                stream.caller(),
                CorrelationIds.next(environment.random()),
                Deadline.after(PATIENCE, environment.timekeeper()));
        parts.handler().handle(call, new Answer(uri));
        stream.onGone(() -> call.cancellation().cancel(CancelReason.CLIENT_GONE));
    }

    private void arrived() {
        if (missing.decrementAndGet() == 0) {
            stream.open(wanted.withResources(
                    wanted.resources().stream().filter(granted::contains).toList()));
        }
    }

    /** Hears whether one resource can be listened to. */
    private final class Answer implements Reply {
        private final String uri;

        private Answer(String uri) {
            this.uri = uri;
        }

        @Override
        public void event(Message progressOrLog) {}

        @Override
        public void done(Outcome outcome) {
            if (outcome instanceof Outcome.Answered answered
                    && !answered.response().isError()) {
                granted.add(uri);
            }
            arrived();
        }
    }
}
