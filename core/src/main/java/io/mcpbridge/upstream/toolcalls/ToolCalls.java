package io.mcpbridge.upstream.toolcalls;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.HeldOff;
import io.mcpbridge.spi.Reading;
import java.util.List;
import java.util.Optional;

/**
 * Takes the calls of tools of one server, and nothing else: over the sessions that are there for everything, or in a
 * process for each. Made and closed by the upstream; any thread, and nothing waits but {@link #close}.
 */
public interface ToolCalls extends Handler {

    /** A session for callers like this one is ready, whose calls may come next. */
    void expect(Caller caller);

    /** How many calls are under way elsewhere than in the sessions that are there for everything. */
    int underWayElsewhere();

    /** Why calls are refused though the server is connected; empty where they are not. */
    Optional<HeldOff> trouble();

    /** What operators are told of it, in a sentence each. */
    List<String> remarks();

    List<Reading> readings();

    /** Ends what is there for calls of tools alone, and the calls that wait for it, which are told {@code why}. */
    void close(Failure why);
}
