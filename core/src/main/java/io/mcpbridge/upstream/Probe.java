package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Completion;

/** One question whether a server lives: its session first, then what its era has for that. */
final class Probe {
    private static final int FIRST_SERVER_FAULT = 500;

    private final Upstream upstream;
    private final Caller caller;
    private final Deadline deadline;
    private final Completion completion;

    Probe(Upstream upstream, Caller caller, Deadline deadline, Completion completion) {
        this.upstream = upstream;
        this.caller = caller;
        this.deadline = deadline;
        this.completion = completion;
    }

    void begin() {
        // The era may be known only once there is a session.
        send(Methods.INITIALIZE, upstream::connect, this::ask);
    }

    private void ask() {
        var isModern = upstream.era().filter(Era.MODERN::equals).isPresent();
        send(isModern ? Methods.SERVER_DISCOVER : Methods.PING, upstream, completion::succeeded);
    }

    private void send(String method, Handler handler, Runnable answered) {
        var call = Call.of(Request.of(MessageId.of(0), method, "{}"), caller, "probe-" + upstream.name(), deadline);
        OwnRequest.send(handler, call, outcome -> {
            if (!(outcome instanceof Outcome.Failed why)) {
                answered.run();
            } else if (showsLife(why.failure())) {
                completion.succeeded();
            } else {
                completion.failed(CallException.of(why.failure()));
            }
        });
    }

    /** Whoever turns somebody away is there, and may let others in. */
    private static boolean showsLife(Failure failure) {
        var status = failure.status();
        if (status.isPresent()) {
            return status.getAsInt() < FIRST_SERVER_FAULT;
        }
        return failure.delivery() == Delivery.ANSWERED
                || failure.delivery() == Delivery.REJECTED
                || failure.serverError().isPresent();
    }
}
