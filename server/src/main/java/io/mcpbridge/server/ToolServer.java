package io.mcpbridge.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.NoopAuditSink;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ErrorText;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.tool.Prompt;
import io.mcpbridge.tool.Resource;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves tools, resources and prompts to clients of both protocol eras over any listener.
 *
 * <p>{@link #create} makes a server without listeners and threads. Tools may be registered before and after {@link
 * #start}. A program that starts a server stops it. Any thread may use it.
 */
public final class ToolServer implements AutoCloseable {
    private static final ToolConfig PING = ToolConfig.of("{\"type\":\"object\",\"properties\":{}}")
            .withDescription("Health probe — returns server version, mode, and uptime.")
            .asReadOnly()
            .asEssential()
            .inParallel();

    private final ToolServerOptions options;
    private final System.Logger logger;
    private final ServerMode mode;
    private final AuditSink sink;
    private final ServedFeatures features;
    private final ReentrantLock starts = new ReentrantLock();

    /** The latest run; each start after a stop replaces it. */
    private volatile Run run = new Run();

    private ToolServer(ToolServerOptions options) {
        this.options = options;
        this.logger = options.logger();
        // Read in any case, since a legacy variable is refused.
        var variables = options.variables();
        this.mode = options.mode().orElseGet(() -> ServerMode.from(variables));
        this.sink = mode == ServerMode.TEST
                ? new InMemoryAuditSink()
                : options.auditSink().orElseGet(NoopAuditSink::new);
        var bootTime = options.bootTime();
        this.features = new ServedFeatures(mode, schemaChecks(options));
        features.add(
                "server_ping",
                PING,
                call -> ping(options.version(), options.clock().getAsLong() - bootTime));
    }

    /**
     * Makes a server that neither listens nor runs anything.
     *
     * @throws ConfigurationException if a variable is a legacy one or names an unknown mode, or if the schema check is not on the class path
     */
    public static ToolServer create(ToolServerOptions options) {
        return new ToolServer(options);
    }

    private Map<String, Object> ping(String version, long uptimeNanos) {
        var answer = new LinkedHashMap<String, Object>();
        answer.put("version", version);
        answer.put("mode", mode);
        answer.put("uptime_ms", TimeUnit.NANOSECONDS.toMillis(uptimeNanos));
        return answer;
    }

    /** Finds the schema check by its name. Without one there is no server, since arguments are always validated. */
    private static SchemaCheckProvider schemaChecks(ToolServerOptions options) {
        try {
            return Providers.of(SchemaCheckProvider.class).named(options.schemaCheck());
        } catch (ConfigurationException missing) {
            throw ConfigurationException.of("cannot validate the arguments of tools: " + missing.getMessage());
        }
    }

    /**
     * Registers a tool.
     *
     * @param name matches {@code ^[a-z_][a-z0-9_]*$}
     * @param config with a schema
     * @throws IllegalArgumentException if the name or the schema is invalid
     * @throws IllegalStateException if a tool of this name is registered
     */
    public void registerTool(String name, ToolConfig config, ToolHandler handler) {
        features.add(name, config, handler);
        notifyClients(Methods.TOOLS_LIST_CHANGED);
    }

    /**
     * Registers a tool whose arguments are a record. The schema is derived from it.
     *
     * @param config without a schema
     * @throws IllegalArgumentException if the name is invalid, or the type of a component has no JSON form
     * @throws IllegalStateException if a tool of this name is registered
     */
    public <A extends Record> void registerTool(
            String name, ToolConfig config, Class<A> arguments, RecordHandler<A> handler) {
        features.add(name, config, arguments, handler);
        notifyClients(Methods.TOOLS_LIST_CHANGED);
    }

    /**
     * Registers each method of an object that has {@link Tool}, with the schema of its parameters. A record that such a
     * method returns is the output schema.
     *
     * @throws IllegalArgumentException if there is no such method, a parameter has no name, or a name or type is
     *     invalid; then none is registered
     * @throws IllegalStateException if a tool of one of the names is registered
     */
    public void registerTools(Object object) {
        features.addMethods(object);
        notifyClients(Methods.TOOLS_LIST_CHANGED);
    }

    /**
     * Registers a resource. Clients learn when they connect whether there are resources, so register the first one
     * before the start. Mode {@link ServerMode#MINIMAL} offers none.
     *
     * @param definition what {@code resources/list} shows: a URI, a name, and optional members
     * @throws IllegalArgumentException if it has no name
     * @throws IllegalStateException if a resource with this URI is registered
     */
    public void registerResource(Resource definition, ResourceHandler handler) {
        features.add(definition, handler);
        notifyClients(Methods.RESOURCES_LIST_CHANGED);
    }

    /**
     * Registers a prompt. Clients learn when they connect whether there are prompts, so register the first one before
     * the start. Mode {@link ServerMode#MINIMAL} offers none.
     *
     * @param definition what {@code prompts/list} shows: a name, and optional members such as {@code arguments}
     * @throws IllegalStateException if a prompt of this name is registered
     */
    public void registerPrompt(Prompt definition, PromptHandler handler) {
        features.add(definition, handler);
        notifyClients(Methods.PROMPTS_LIST_CHANGED);
    }

    private void notifyClients(String method) {
        var current = run.server;
        if (current != null) {
            current.notifyClients(method);
        }
    }

    /**
     * Starts to serve, and waits until all listeners are open. A server that was stopped may start again, with new
     * listeners of those that the options name; a listener that the program made starts once.
     *
     * @throws ConfigurationException if there is no listener, or a setting is wrong
     * @throws TransportException if a listener cannot be opened, or not in time; no listener stays open then
     * @throws IllegalStateException if the server runs
     */
    public void start() throws InterruptedException {
        var started = begin();
        var isOpen = false;
        try {
            open(started);
            isOpen = true;
        } catch (RuntimeException | Error failed) {
            log(Level.ERROR, "fatal: " + ErrorText.of(failed));
            throw failed;
        } finally {
            if (!isOpen) {
                stop(started);
                ExitOnUncaughtException.remove(started);
            }
        }
    }

    /** Begins the run that has not started, or another one after a stop. */
    private Run begin() {
        starts.lock();
        try {
            if (run.stopped.getCount() == 0) {
                run = new Run();
            }
            if (!run.isStarted.compareAndSet(false, true)) {
                throw new IllegalStateException("this server is running; stop it before it starts again");
            }
            return run;
        } finally {
            starts.unlock();
        }
    }

    private void open(Run started) throws InterruptedException {
        var version = options.version();
        log(Level.INFO, "starting in mode=%s version=%s".formatted(mode, version));
        if (options.wantsGlobalHandlers() && mode != ServerMode.TEST) {
            ExitOnUncaughtException.install(started, logger, options.exit());
        }
        var opened = new RunningServer(options, version, features, new AuditRecorder(sink, logger));
        started.server = opened;
        open(() -> opened.open(() -> stopSoon(started)), options.startupTimeout());
        if (started.isStopped.get()) {
            // The thread that stopped the server may not have seen what it had to close.
            opened.close();
            throw new IllegalStateException("this server was stopped while it started");
        }
        log(Level.INFO, "ready");
    }

    /** Opens the listeners on a daemon thread, so that a time-out leaves no thread that keeps the program alive. */
    private static void open(Runnable listeners, Duration timeout) throws InterruptedException {
        var opening = new FutureTask<>(listeners, true);
        var thread = new Thread(opening, "mcp-bridge-start");
        thread.setDaemon(true);
        thread.start();
        try {
            opening.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            opening.cancel(true);
            var message = "startup timeout exceeded (%dms)".formatted(timeout.toMillis());
            throw TransportException.of(
                    Failure.of(ErrorCode.PROVIDER_TIMEOUT, message).withCause(late));
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException plain
                    ? plain
                    : new IllegalStateException("opening failed", failed.getCause());
        }
    }

    /** The addresses of the listeners; empty before the first start. */
    public List<URI> addresses() {
        var current = run.server;
        return current == null ? List.of() : current.addresses();
    }

    /** The mode of the server. */
    public ServerMode mode() {
        return mode;
    }

    /** The sink that records calls; a {@link InMemoryAuditSink} in mode {@code TEST}. */
    public AuditSink auditSink() {
        return sink;
    }

    /** Stops at once; calls under way end with {@code SHUTTING_DOWN}. A second call does nothing. */
    public void stop() {
        stop(run);
    }

    private static void stop(Run stopping) {
        if (!stopping.isStopped.compareAndSet(false, true)) {
            return;
        }
        try {
            var current = stopping.server;
            if (current != null) {
                current.close();
            }
        } finally {
            ExitOnUncaughtException.remove(stopping);
            stopping.stopped.countDown();
        }
    }

    /** Stops on a new thread, since the calling thread is one that must end. */
    private static void stopSoon(Run stopping) {
        new Thread(() -> stop(stopping), "mcp-bridge-stop").start();
    }

    /** Waits until the server has stopped. It stops by itself when its client on standard input has left. */
    public void awaitStop() throws InterruptedException {
        run.stopped.await();
    }

    @Override
    public void close() {
        stop();
    }

    private void log(Level level, String text) {
        logger.log(level, "[mcp-bridge] " + text);
    }

    /** One life of the server, from a start to the next stop. */
    private static final class Run {
        private final AtomicBoolean isStarted = new AtomicBoolean();
        private final AtomicBoolean isStopped = new AtomicBoolean();
        private final CountDownLatch stopped = new CountDownLatch(1);
        private volatile @Nullable RunningServer server;
    }

    /**
     * Logs an exception that a thread did not catch, then exits the program with code 1.
     *
     * <p>All servers of a program share one such handler. The last server that stops restores the handler from before.
     */
    static final class ExitOnUncaughtException implements Thread.UncaughtExceptionHandler {
        private static final ReentrantLock LOCK = new ReentrantLock();

        private final System.Logger logger;
        private final IntConsumer exit;
        private final Thread.@Nullable UncaughtExceptionHandler before;

        @GuardedBy("LOCK")
        private final Set<Object> owners = new HashSet<>();

        private ExitOnUncaughtException(
                System.Logger logger, IntConsumer exit, Thread.@Nullable UncaughtExceptionHandler before) {
            this.logger = logger;
            this.exit = exit;
            this.before = before;
        }

        /** Adds an owner, and installs the handler for the first. */
        static void install(Object owner, System.Logger logger, IntConsumer exit) {
            LOCK.lock();
            try {
                var current = Thread.getDefaultUncaughtExceptionHandler();
                if (current instanceof ExitOnUncaughtException installed) {
                    installed.owners.add(owner);
                    return;
                }
                var handler = new ExitOnUncaughtException(logger, exit, current);
                handler.owners.add(owner);
                Thread.setDefaultUncaughtExceptionHandler(handler);
            } finally {
                LOCK.unlock();
            }
        }

        /** Removes an owner, and the handler with the last. */
        static void remove(Object owner) {
            LOCK.lock();
            try {
                if (Thread.getDefaultUncaughtExceptionHandler() instanceof ExitOnUncaughtException installed
                        && installed.owners.remove(owner)
                        && installed.owners.isEmpty()) {
                    Thread.setDefaultUncaughtExceptionHandler(installed.before);
                }
            } finally {
                LOCK.unlock();
            }
        }

        @Override
        public void uncaughtException(Thread thread, Throwable failure) {
            try {
                logger.log(Level.ERROR, "[mcp-bridge] uncaughtException: " + failure, failure);
            } finally {
                // A program that is exiting waits for its hooks; an exit from one of them would wait for itself.
                if (!isExiting()) {
                    exit.accept(1);
                }
            }
        }

        /** The runtime rejects changes of its hooks while the program exits. */
        private static boolean isExiting() {
            var runtime = Runtime.getRuntime();
            return CompletableFuture.runAsync(() -> runtime.removeShutdownHook(Thread.currentThread()), Runnable::run)
                    .isCompletedExceptionally();
        }
    }
}
