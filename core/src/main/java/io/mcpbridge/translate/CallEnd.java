package io.mcpbridge.translate;

import io.mcpbridge.call.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one parked call ends: its outcome reaches the leg that waits for it, or is kept for the one that comes back. For
 * one thread at a time: the call guards it, but for {@link #tell}.
 */
final class CallEnd {
    private final ParkedCalls calls;
    private final ServerSide server;
    private final List<Needs> inVain = new ArrayList<>();
    private @Nullable Outcome kept;

    CallEnd(ParkedCalls calls, ServerSide server) {
        this.calls = calls;
        this.server = server;
    }

    /** The server wanted to know what its client cannot be asked. */
    void askedInVain(List<Question> impossible) {
        impossible.forEach(question -> inVain.add(question.needs()));
    }

    /** Nobody waits just now. */
    void keep(Outcome outcome) {
        kept = outcome;
    }

    /** What was kept was not fetched in time. */
    void forget() {
        kept = null;
    }

    /** What ends {@code next}, which comes after the call has ended: the outcome that was kept, or that it has lapsed. */
    Runnable collect(ParkedCall call, Leg next) {
        var outcome = kept;
        kept = null;
        if (outcome == null) {
            return () -> next.refuse(calls.lapsedWords());
        }
        return () -> {
            calls.leave(call);
            tell(next, outcome);
        };
    }

    /** A call that fails after a question in vain fails because of that, as far as its client can know. */
    void tell(Leg last, Outcome outcome) {
        last.end(
                !inVain.isEmpty() && InputRequired.isFailure(outcome)
                        ? InputRequired.impossible(last.call().request().id(), server.name(), inVain)
                        : new UrlElicitations(calls, server).translate(last, outcome));
    }
}
