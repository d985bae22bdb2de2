package io.mcpbridge.telemetry;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.RequestOrigin;
import io.mcpbridge.call.RequestOrigin.Remote;

/** A request over HTTP without headers. */
enum OverHttp implements RequestOrigin {
    FROM_HERE;

    @Override
    public MessageHeaders headers() {
        return MessageHeaders.EMPTY;
    }

    @Override
    public Remote remote() {
        return new Remote("tcp", "http", "1.1", "127.0.0.1", 4711);
    }
}
