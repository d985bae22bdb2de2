package io.mcpbridge.telemetry;

import io.mcpbridge.call.Arrival;
import io.mcpbridge.call.Arrival.Remote;
import io.mcpbridge.call.Metadata;

/** A request over HTTP without headers. */
enum OverHttp implements Arrival {
    FROM_HERE;

    @Override
    public Metadata metadata() {
        return Metadata.EMPTY;
    }

    @Override
    public Remote remote() {
        return new Remote("tcp", "http", "1.1", "127.0.0.1", 4711);
    }
}
