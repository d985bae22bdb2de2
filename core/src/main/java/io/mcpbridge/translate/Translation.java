package io.mcpbridge.translate;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Part;
import io.mcpbridge.upstream.Upstream;

/**
 * Stands before the stages of one server and lets clients of both eras call it. Does nothing where the client and the
 * server speak the same. Any thread.
 */
public final class Translation implements Handler {
    private final ServerSide server;
    private final Handler stages;
    private final Handler modern;
    private final ParkedCalls parked;

    /**
     * Makes the translation of one server.
     *
     * @param stages what stands behind it
     * @param parked where calls wait for modern clients
     */
    public Translation(ServerSide server, Handler stages, ParkedCalls parked) {
        this.server = server;
        this.stages = stages;
        this.modern = (call, reply) -> stages.handle(call, new ModernReply(server, call, reply));
        this.parked = parked;
    }

    /** The translation before {@code stages} of {@code upstream}. */
    public static Translation of(Upstream upstream, Handler stages, ParkedCalls parked) {
        return new Translation(ServerSide.of(upstream), stages, parked);
    }

    @Override
    public void handle(Call call, Reply reply) {
        if (call.caller().era() == Era.LEGACY) {
            fromLegacy(call, reply);
        } else if (server.era().get().isEmpty() && MultiRound.isLater(call.request())) {
            // Whose state it is can be told only when it is known who speaks there.
            server.connect().handle(call, new Connecting(call, reply));
        } else {
            fromModern(call, reply);
        }
    }

    private void fromLegacy(Call call, Reply reply) {
        if (server.speaks(Era.LEGACY)) {
            stages.handle(call, reply);
        } else if (server.speaks(Era.MODERN) && call.request().has(Part.TASK)) {
            var words = "'%s' of server '%s' cannot become a task: the server speaks %s, which knows no 'params.task'";
            refuse(reply, words.formatted(call.request().method(), server.name(), "revision 2026-07-28 or later"));
        } else {
            Fulfilment.begin(server, stages, call, reply);
        }
    }

    private void fromModern(Call call, Reply reply) {
        if (!MultiRound.allows(call.request())) {
            modern.handle(server.speaks(Era.LEGACY) ? plain(call) : call, reply);
            return;
        }
        var ticket = parked.ticket(server, call);
        if (ticket.isPresent()) {
            parked.resume(ticket.get(), server, modern, new Leg(call, reply));
        } else if (server.speaks(Era.MODERN)) {
            modern.handle(call, reply);
        } else if (call.request().has(Part.REQUEST_STATE)) {
            refuse(
                    reply,
                    "'requestState' is not one that was given to this caller for this very request; make the call"
                            + " anew, without 'requestState'");
        } else {
            parked.begin(server, modern, new Leg(call, reply));
        }
    }

    private static Call plain(Call call) {
        return call.withRequest(MultiRound.first(call.request()));
    }

    private static void refuse(Reply reply, String why) {
        reply.done(Outcome.failed(Failure.of(ErrorCode.INVALID_PARAMS, why)));
    }

    /** Goes on with a call once it is known which era its server speaks. */
    private final class Connecting implements Reply {
        private final Call call;
        private final Reply reply;

        private Connecting(Call call, Reply reply) {
            this.call = call;
            this.reply = reply;
        }

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            if (outcome instanceof Outcome.Failed) {
                reply.done(outcome);
            } else {
                fromModern(call, reply);
            }
        }
    }
}
