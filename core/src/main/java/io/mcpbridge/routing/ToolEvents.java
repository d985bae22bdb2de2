package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallStage;
import java.time.Duration;

/** Publishes how tool calls of one server end; costs nothing while nobody subscribes. */
public final class ToolEvents implements CallStage {
    private final String server;
    private final EventBus events;
    private final Timekeeper timekeeper;

    public ToolEvents(String server, EventBus events, Timekeeper timekeeper) {
        this.server = server;
        this.events = events;
        this.timekeeper = timekeeper;
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        var isWatched = events.hasSubscribers() && call.request().method().equals(Methods.TOOLS_CALL);
        next.handle(call, isWatched ? new Watched(call, reply, timekeeper.nanoTime()) : reply);
    }

    private final class Watched implements Reply {
        private final Call call;
        private final Reply reply;
        private final long begun;

        private Watched(Call call, Reply reply, long begun) {
            this.call = call;
            this.reply = reply;
            this.begun = begun;
        }

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            events.publish(
                    outcome instanceof Outcome.Answered answered
                            ? told(answered.response())
                            : failed(((Outcome.Failed) outcome).failure()));
            reply.done(outcome);
        }

        private BridgeEvent told(Response response) {
            if (response.isError()) {
                return failed(JsonRpcErrors.toFailure(response));
            }
            var duration = Duration.ofNanos(timekeeper.nanoTime() - begun);
            var summary = response.raw(Part.RESULT).orElse("");
            return new BridgeEvent.ToolCompleted(server, call.correlationId(), tool(), summary, duration);
        }

        private BridgeEvent failed(Failure failure) {
            return new BridgeEvent.ToolFailed(
                    server,
                    call.correlationId(),
                    tool(),
                    failure.code().name(),
                    failure.retryable(),
                    failure.message());
        }

        private String tool() {
            return call.request().text(Part.NAME).orElse("");
        }
    }
}
