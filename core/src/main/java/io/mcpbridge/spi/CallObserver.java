package io.mcpbridge.spi;

import io.mcpbridge.call.CallStart;
import io.mcpbridge.call.CallWatch;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Watches calls without taking part, for telemetry. Never waits; any thread. */
public interface CallObserver extends AutoCloseable {

    /** A call begins, on the thread that makes it; what is returned watches the rest of it. */
    default CallWatch begun(CallStart start) {
        return CallWatch.NONE;
    }

    /**
     * Says where the state of the servers can be read at any time, by the servers' names; reading it is cheap.
     *
     * @return ends the reading
     */
    default Runnable watchServers(Supplier<Map<String, List<Reading>>> servers) {
        return () -> {};
    }

    /** Ends what was begun for it; whoever made it calls this. */
    @Override
    default void close() {}
}
