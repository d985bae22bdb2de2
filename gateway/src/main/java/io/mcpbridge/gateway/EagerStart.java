package io.mcpbridge.gateway;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CorrelationIds;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.routing.Route;
import io.mcpbridge.spi.Environment;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Connects servers that are to be there before their first call, in the background and not all at once. */
final class EagerStart {
    /** How many are being connected at one moment; starting fifty programs at once would make all of them late. */
    static final int AT_ONCE = 8;

    private final Environment environment;
    private final Caller self = Caller.builder()
            .principal(new Principal("mcp-bridge", "process"))
            .session("eager-start")
            .build();

    EagerStart(Environment environment) {
        this.environment = environment;
    }

    /** Begins and returns at once; a server that cannot be connected only shows in its status. */
    void begin(List<Route> routes) {
        var waiting = new ConcurrentLinkedQueue<>(routes);
        for (int i = 0; i < Math.min(AT_ONCE, routes.size()); i++) {
            next(waiting);
        }
    }

    private void next(Queue<Route> waiting) {
        var route = waiting.poll();
        if (route == null) {
            return;
        }
        var timeout = route.upstream().settings().timeout();
        var call = Call.of(
                Request.of(MessageId.of(0), Methods.INITIALIZE, "{}"),
                self,
                CorrelationIds.next(environment.random()),
                Deadline.after(timeout, environment.timekeeper()));
        route.upstream().connect(call, new Reply() {
            @Override
            public void event(Message progressOrLog) {}

            @Override
            public void done(Outcome outcome) {
                // On a worker, so that many servers which fail at once do not pile up on one stack.
                environment.workers().execute(() -> next(waiting));
            }
        });
    }
}
