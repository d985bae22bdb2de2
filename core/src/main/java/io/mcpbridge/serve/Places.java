package io.mcpbridge.serve;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The places where clients reach a server. Opened by one thread; any may close them, even before that is done. */
final class Places implements AutoCloseable {
    private static final String STDIO = "stdio";

    private final List<Listener> made = new ArrayList<>();
    private final List<Listener> only = new ArrayList<>();
    private final List<Listener> open = new CopyOnWriteArrayList<>();
    private volatile boolean isClosed;

    /**
     * Makes those of the options; none is open yet.
     *
     * @throws ConfigurationException if there is none, or the settings of one are wrong
     */
    Places(ServerOptions options, Environment environment) {
        this(options, environment, Providers.of(ListenerProvider.class));
    }

    /** The same where the kinds of places are those that are handed in. */
    Places(ServerOptions options, Environment environment, Providers<ListenerProvider> providers) {
        var isMade = false;
        try {
            options.sections().forEach((name, settings) -> {
                var listener = providers.named(name).create(settings, environment);
                made.add(listener);
                if (name.equals(STDIO)) {
                    only.add(listener);
                }
            });
            isMade = true;
        } finally {
            if (!isMade) {
                closeMade();
            }
        }
        made.addAll(options.listeners());
        made.addAll(options.untilGone());
        only.addAll(options.untilGone());
        if (made.isEmpty()) {
            throw ConfigurationException.of("the server listens nowhere; name a place in the options, such as stdio");
        }
    }

    /**
     * Opens them one after the other.
     *
     * @param clients who takes their clients
     * @param gone runs when the one client of such a place has left
     */
    void open(Acceptor clients, Runnable gone) {
        for (var listener : made) {
            open.add(listener);
            listener.start(only.contains(listener) ? new OnlyClient(clients, gone) : clients);
            if (isClosed) {
                listener.close();
            }
        }
    }

    List<URI> addresses() {
        return open.stream().map(Listener::address).toList();
    }

    void stopAccepting() {
        open.forEach(Listener::stopAccepting);
    }

    @Override
    public void close() {
        isClosed = true;
        closeMade();
    }

    /** The last one that was made is closed first. */
    private void closeMade() {
        for (int i = made.size() - 1; i >= 0; i--) {
            made.get(i).close();
        }
    }
}
