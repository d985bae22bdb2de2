package io.mcpbridge.telemetry;

import io.mcpbridge.call.Arrival;
import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Remote;

/** A request that came over HTTP and brings no headers. */
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
