package io.mcpbridge.engine;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Principal;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Environment;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Connects eager servers in the background before their first call, a few at a time. */
record EagerConnector(Environment environment) {
    /** The number of concurrent connection attempts; starting fifty programs at once would delay all of them. */
    static final int MAX_CONCURRENT = 8;

    private static final Caller SELF = Caller.ANONYMOUS
            .withPrincipal(new Principal("mcp-bridge", "process"))
            .withSession("eager-start");

    /** Returns immediately. The error of a server that cannot be connected appears in its status only. */
    void begin(List<ServerRoute> routes) {
        var waiting = new ConcurrentLinkedQueue<>(routes);
        for (int i = 0; i < Math.min(MAX_CONCURRENT, routes.size()); i++) {
            next(waiting);
        }
    }

    private void next(Queue<ServerRoute> waiting) {
        var route = waiting.poll();
        if (route == null) {
            return;
        }
        var timeout = route.upstream().settings().timeout();
        var call = Call.of(
                Request.of(MessageId.of(0), Methods.INITIALIZE, "{}"),
                SELF,
                Call.newCorrelationId(environment.random()),
                Deadline.after(timeout, environment.timekeeper()));
        // On a worker, so that many servers which fail at once do not pile up on one stack.
        route.upstream().connect(call, outcome -> environment.workers().execute(() -> next(waiting)));
    }
}
