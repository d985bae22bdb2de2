package io.mcpbridge.upstream;

import io.mcpbridge.upstream.health.Pulse;
import java.time.Duration;

/** One session as whoever asks its server for signs of life sees it. Any thread. */
record SessionPulse(UpstreamSession session) implements Pulse.Watched {

    @Override
    public long lastHeard() {
        return session.use().lastHeard();
    }

    @Override
    public boolean isBusy() {
        return session.callsInFlight() > 0;
    }

    @Override
    public void beat(Duration latency) {
        session.listener().beat(latency);
    }

    @Override
    public void doubted(String why) {
        session.listener().doubted(why);
    }

    @Override
    public void lost(String why) {
        session.listener().silent(session, why);
    }
}
