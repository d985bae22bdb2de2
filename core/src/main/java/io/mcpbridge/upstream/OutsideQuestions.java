package io.mcpbridge.upstream;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.upstream.seats.Occupant;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What a server of the legacy era asks while no call is under way: the client whose session it is is asked. Any thread;
 * nothing waits.
 *
 * <p>Servers ask for roots right after the handshake, so where nobody has come for the session that is kept for a while.
 */
final class OutsideQuestions {
    /** How long a server waits for somebody to come; it is told after that. */
    static final Duration HELD = Duration.ofSeconds(30);

    /** How many may be kept; no server needs more than one. */
    private static final int MAX_HELD = 8;

    private final ServerQuestions questions;
    private final Aftermath aftermath;
    private final Timekeeper timekeeper;
    private final Supplier<Occupant> occupant;
    private final Map<MessageId, Held> held = new ConcurrentHashMap<>();

    private record Held(Request request, Timekeeper.Alarm alarm) {}

    OutsideQuestions(
            ServerQuestions questions, Aftermath aftermath, Timekeeper timekeeper, Supplier<Occupant> occupant) {
        this.questions = questions;
        this.aftermath = aftermath;
        this.timekeeper = timekeeper;
        this.occupant = occupant;
    }

    void ask(Request request) {
        var current = occupant.get();
        var mayWait = current.mayCome() && request.method().equals(Methods.ROOTS_LIST) && held.size() < MAX_HELD;
        if (!mayWait) {
            ask(current, request);
            return;
        }
        var alarm = timekeeper.schedule(HELD, () -> late(request.id()));
        var before = held.put(request.id(), new Held(request, alarm));
        if (before != null) {
            before.alarm().cancel();
        }
        if (!occupant.get().mayCome()) {
            // Whoever came meanwhile may have found nothing.
            occupied();
        }
    }

    private void ask(Occupant current, Request request) {
        var client = current.client();
        if (client.isEmpty()) {
            questions.refuseForNobody(request, current.why());
        } else if (aftermath.concernsOthersThan(client.get().session())) {
            questions.refuseForNobody(request, "it may belong to a call that another client has withdrawn lately");
        } else {
            questions.ask(client.get(), request);
        }
    }

    private void late(MessageId id) {
        var waited = held.remove(id);
        if (waited != null) {
            ask(occupant.get(), waited.request());
        }
    }

    /** Somebody may have come. */
    void occupied() {
        if (held.isEmpty() || occupant.get().mayCome()) {
            return;
        }
        for (var id : List.copyOf(held.keySet())) {
            var waited = held.remove(id);
            if (waited != null) {
                waited.alarm().cancel();
                ask(occupant.get(), waited.request());
            }
        }
    }

    /** The server takes a question back. */
    void withdraw(MessageId id) {
        var waited = held.remove(id);
        if (waited != null) {
            waited.alarm().cancel();
        }
    }

    /** The session is over. */
    void closed() {
        List.copyOf(held.keySet()).forEach(this::withdraw);
    }
}
