package io.mcpbridge.server;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.ClientSide;
import io.mcpbridge.engine.ClientSide.ServedProgram;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.BackgroundThreads;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The parts of a server from its start to its stop. */
final class RunningServer implements AutoCloseable {
    /** The time for cancelled calls to end, so that the audit records them. */
    private static final Duration GRACE_PERIOD = Duration.ofSeconds(1);

    private static final int MAX_PLATFORM_THREADS = 1_024;

    private final StandardEnvironment.Lease owned;
    private final ExecutorService threads = callThreads();
    private final ClientSide clients;
    private final ServerListeners listeners;

    RunningServer(ToolServerOptions options, String version, ServedFeatures features, AuditRecorder audit) {
        owned = environment(options);
        var environment = owned.environment();
        listeners = listeners(options, owned, threads);
        var resources = new ToolCallRunner.Resources(
                audit, threads, options.clock(), environment.timekeeper(), options.logger());
        var served = new ServedProgram(
                options.name(),
                version,
                options.instructions(),
                features.offered(),
                options::callTimeout,
                features.handler(resources),
                features::schema);
        clients = ClientSide.ofProgram(served, audit::note, environment);
    }

    /** Makes the listeners, or closes the rest of the server. */
    private static ServerListeners listeners(
            ToolServerOptions options, StandardEnvironment.Lease owned, ExecutorService threads) {
        try {
            return new ServerListeners(options, owned.environment());
        } catch (RuntimeException | Error failed) {
            threads.shutdown();
            owned.close();
            throw failed;
        }
    }

    /** Opens the listeners; {@code gone} runs when the client on standard input has left. */
    void open(Runnable gone) {
        listeners.open(clients, gone);
    }

    List<URI> addresses() {
        return listeners.addresses();
    }

    /** Notifies clients that a list has changed. */
    void notifyClients(String method) {
        clients.send(Notification.of(method));
    }

    /** Closes everything; calls under way end with {@code SHUTTING_DOWN}. */
    @Override
    public void close() {
        listeners.stopAccepting();
        clients.close(CancelReason.SHUTTING_DOWN);
        BackgroundThreads.end(threads, GRACE_PERIOD);
        listeners.close();
        owned.close();
    }

    /** Threads for calls, which may block: virtual threads where Java has them, else platform threads. */
    static ExecutorService callThreads() {
        return callThreads(Executors.class, "newVirtualThreadPerTaskExecutor");
    }

    /** The threads that a static method makes, or platform threads if there is no such method. */
    static ExecutorService callThreads(Class<?> factory, String method) {
        try {
            return (ExecutorService) factory.getMethod(method).invoke(null);
        } catch (ReflectiveOperationException olderJava) {
            return platformThreads();
        }
    }

    private static ExecutorService platformThreads() {
        var numbered = BackgroundThreads.numbered("tool");
        return new ThreadPoolExecutor(
                0, MAX_PLATFORM_THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), numbered);
    }

    /** The environment of the options, which stays open, or else a new one with their logger. */
    static StandardEnvironment.Lease environment(ToolServerOptions options) {
        var lease = StandardEnvironment.lease(options.environment());
        return options.environment().isPresent()
                ? lease
                : new StandardEnvironment.Lease(lease.environment().withLogger(options.logger()), lease.end());
    }

    /** The listeners of a server. One thread opens them; any thread may close them, also during that. */
    static final class ServerListeners implements AutoCloseable {
        private static final String STDIO = "stdio";

        private final List<Listener> listeners = new ArrayList<>();

        /** Those with one client; the server stops with it. */
        private final List<Listener> singleClient = new ArrayList<>();

        private final List<Listener> open = new CopyOnWriteArrayList<>();
        private volatile boolean isClosed;

        /**
         * Makes the listeners of the options, and opens none.
         *
         * @throws ConfigurationException if there is none, or the settings of one are wrong
         */
        ServerListeners(ToolServerOptions options, Environment environment) {
            this(options, environment, Providers.of(ListenerProvider.class));
        }

        /** Makes the listeners of the options with these providers. */
        ServerListeners(ToolServerOptions options, Environment environment, Providers<ListenerProvider> providers) {
            var isMade = false;
            try {
                options.sections().forEach((name, settings) -> {
                    var listener = providers.named(name).create(settings, environment);
                    listeners.add(listener);
                    if (name.equals(STDIO)) {
                        singleClient.add(listener);
                    }
                });
                isMade = true;
            } finally {
                if (!isMade) {
                    closeAll();
                }
            }
            listeners.addAll(options.listeners());
            listeners.addAll(options.untilGone());
            singleClient.addAll(options.untilGone());
            if (listeners.isEmpty()) {
                throw ConfigurationException.of("the server has no listener; name one in the options, such as stdio");
            }
        }

        /**
         * Opens the listeners one after the other.
         *
         * @param clients serves the clients
         * @param gone runs when the only client of a listener has left
         */
        void open(Acceptor clients, Runnable gone) {
            for (var listener : listeners) {
                open.add(listener);
                listener.start(singleClient.contains(listener) ? clients.onClosed(gone) : clients);
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
            closeAll();
        }

        /** In reverse order. */
        private void closeAll() {
            for (int i = listeners.size() - 1; i >= 0; i--) {
                listeners.get(i).close();
            }
        }
    }
}
