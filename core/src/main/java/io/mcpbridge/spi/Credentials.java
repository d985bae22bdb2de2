package io.mcpbridge.spi;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;

/** The headers with which we show a server who calls. Never waits; any thread. */
public interface Credentials {

    /** Headers for a request of {@code principal} to {@code server}. */
    Metadata headers(Principal principal, String server);
}
