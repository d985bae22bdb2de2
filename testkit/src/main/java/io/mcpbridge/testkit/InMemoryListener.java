package io.mcpbridge.testkit;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Listener;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A listener whose clients are in the same process. Any thread may use it. */
public final class InMemoryListener implements Listener {
    private final Set<InMemoryConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Acceptor acceptor;

    @Override
    public void start(Acceptor newAcceptor) {
        if (acceptor != null) {
            throw ConfigurationException.of("the in-memory listener was started before; make another one");
        }
        acceptor = newAcceptor;
    }

    @Override
    public URI address() {
        return URI.create("memory:listener");
    }

    @Override
    public void stopAccepting() {
        acceptor = null;
    }

    @Override
    public void close() {
        stopAccepting();
        connections.forEach(InMemoryConnection::close);
        connections.clear();
    }

    /** A new client. */
    public RawClient connect() throws IOException {
        var listening = acceptor;
        if (listening == null) {
            throw new IOException("nobody listens in memory");
        }
        var connection = new InMemoryConnection();
        connections.add(connection);
        connection.begin(listening);
        return connection;
    }
}
