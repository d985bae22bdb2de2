package io.mcpbridge.peers;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;

/** A server of others that can stand behind the daemon and behind a {@link Connection}. Its creator closes it. */
public interface PeerServer extends AutoCloseable {

    /** Its section in {@code mcpServers}. */
    String section();

    Connection connect(ConnectionOptions options) throws InterruptedException;

    @Override
    void close();
}
