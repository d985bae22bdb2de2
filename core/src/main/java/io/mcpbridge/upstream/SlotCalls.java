package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Response;
import io.mcpbridge.upstream.WaitingCalls.Waiting;
import io.mcpbridge.upstream.admission.CallAdmission;
import io.mcpbridge.upstream.admission.CallAdmission.Arrival;
import io.mcpbridge.upstream.admission.CallQueue;
import io.mcpbridge.upstream.admission.QueuedCall;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The calls of one {@link SessionSlot} on their way to its session: each is sent there, or parked until it is ready. Any
 * thread; nothing waits.
 *
 * @param server the server's name
 * @param begin begins to open the session
 */
record SlotCalls(
        String server, CallQueue queue, CallAdmission admission, SlotState state, Consumer<SessionOpening> begin) {

    void send(Call call, Reply reply) {
        send(new Arrival(call, reply, admission.lastChange(call)));
    }

    private void send(Arrival arrival) {
        var place = queue.enter(arrival.reply());
        if (place == null) {
            return;
        }
        var session = state.open();
        if (session != null) {
            send(session, arrival, place);
            return;
        }
        var queued = new QueuedCall(server, arrival.call(), arrival.reply(), place);
        park(new Waiting(queued, opened -> send(opened, arrival, place)));
    }

    private void send(UpstreamSession session, Arrival arrival, CallQueue.Place place) {
        if (admission.admits(arrival.call(), arrival.change())) {
            session.send(arrival.call(), arrival.reply(), place);
        } else {
            admission.settle(arrival, place, () -> send(arrival));
        }
    }

    /** Opens the session if it is not there, without sending anything; {@code reply} hears when it is ready. */
    void connect(Call call, Reply reply) {
        var done = Outcome.answered(Response.result(call.request().id(), "{}"));
        var queued = new QueuedCall(server, call, reply, CallQueue.Place.UNCOUNTED);
        park(new Waiting(queued, opened -> reply.done(done)));
    }

    private void park(Waiting call) {
        var parking = state.park(call);
        if (parking.session() != null) {
            call.send(parking.session());
        } else if (parking.refusal() != null) {
            call.fail(parking.refusal());
        } else {
            call.watch(() -> state.forget(call));
            Optional.ofNullable(parking.begun()).ifPresent(begin);
        }
    }
}
