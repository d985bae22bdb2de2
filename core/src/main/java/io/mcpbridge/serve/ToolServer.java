package io.mcpbridge.serve;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.serve.schema.MinimalSchemaCheckProvider;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.standard.NoopAuditSink;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A server of tools, for clients of both eras of the protocol, over any listener.
 *
 * <p>Creating one does nothing but make it; tools may be registered before and after {@link #start}. Whoever starts it
 * stops it. Any thread may use it.
 */
public final class ToolServer implements AutoCloseable {
    private static final String JSON_SCHEMA = "json-schema";

    private final ServerOptions options;
    private final System.Logger logger;
    private final Mode mode;
    private final AuditSink sink;
    private final ToolRegistry tools;
    private final AtomicBoolean isStarted = new AtomicBoolean();
    private final AtomicBoolean isStopped = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile @Nullable Serving serving;

    private ToolServer(ServerOptions options) {
        this.options = options;
        this.logger = options.logger();
        this.mode = options.mode().orElseGet(() -> Mode.from(options.variables()));
        this.sink =
                mode == Mode.TEST ? new MemoryAuditSink() : options.auditSink().orElseGet(NoopAuditSink::new);
        this.tools = new ToolRegistry(mode, checks(options));
        Ping.register(tools, mode, options);
    }

    /**
     * Makes a server that neither listens nor runs anything.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if a variable names no mode, or is a legacy one
     */
    public static ToolServer create(ServerOptions options) {
        return new ToolServer(options);
    }

    /** Chosen by its name, never as the first one found. */
    private static SchemaCheckProvider checks(ServerOptions options) {
        var known = Providers.of(SchemaCheckProvider.class, List.of(new MinimalSchemaCheckProvider()));
        var usual = known.names().contains(JSON_SCHEMA) ? JSON_SCHEMA : "minimal";
        return known.named(options.schemaCheck().orElse(usual));
    }

    /**
     * Registers a tool.
     *
     * @param name matches {@code ^[a-z_][a-z0-9_]*$}
     * @param config with a schema
     * @throws IllegalArgumentException if the name or the schema will not do
     * @throws IllegalStateException if the name is taken
     */
    public void registerTool(String name, ToolConfig config, ToolHandler handler) {
        tools.add(name, config, handler);
        announce();
    }

    /**
     * Registers a tool that takes a record, whose schema is derived.
     *
     * @param config without a schema
     * @throws IllegalArgumentException if the name will not do, or a component of the record has a type that no JSON
     *     value stands for
     * @throws IllegalStateException if the name is taken
     */
    public <A extends Record> void registerTool(
            String name, ToolConfig config, Class<A> arguments, RecordHandler<A> handler) {
        tools.add(name, config, arguments, handler);
        announce();
    }

    private void announce() {
        var current = serving;
        if (current != null) {
            current.toolsChanged();
        }
    }

    /**
     * Begins to serve; waits until every place is open where it listens.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if it listens nowhere, or a setting is wrong
     * @throws TransportException if a place cannot be opened, or not in time; nothing is left open then
     * @throws IllegalStateException if it was started before
     */
    public void start() throws InterruptedException {
        if (!isStarted.compareAndSet(false, true)) {
            throw new IllegalStateException("this server was started before; create another one");
        }
        var isOpen = false;
        try {
            open();
            isOpen = true;
        } catch (RuntimeException | Error failed) {
            log(Level.ERROR, "fatal: " + Words.of(failed));
            throw failed;
        } finally {
            if (!isOpen) {
                stop();
                UncaughtFailures.remove(this);
            }
        }
    }

    private void open() throws InterruptedException {
        var version = Versions.read(options.versionReader());
        log(Level.INFO, "starting in mode=%s version=%s".formatted(mode, version));
        if (options.wantsGlobalHandlers() && mode != Mode.TEST) {
            UncaughtFailures.install(this, logger, options.exit());
        }
        var opened = new Serving(options, version, tools, new AuditTrail(sink, logger));
        serving = opened;
        open(opened, options.startupTimeout());
        if (isStopped.get()) {
            // Whoever stopped it may have seen nothing yet that could be closed.
            opened.close();
            throw new IllegalStateException("this server was stopped while it started");
        }
        log(Level.INFO, "ready");
    }

    /** Races opening against the time that it may take; the thread that is left behind keeps no program alive. */
    private void open(Serving opened, Duration patience) throws InterruptedException {
        var opening = new FutureTask<>(() -> opened.open(this::stopSoon), true);
        var thread = new Thread(opening, "mcp-bridge-start");
        thread.setDaemon(true);
        thread.start();
        try {
            opening.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            opening.cancel(true);
            var words = "startup timeout exceeded (%dms)".formatted(patience.toMillis());
            throw TransportException.of(
                    Failure.of(ErrorCode.PROVIDER_TIMEOUT, words).withCause(late));
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException plain
                    ? plain
                    : new IllegalStateException("opening failed", failed.getCause());
        }
    }

    /** Where clients reach it, once it has started. */
    public List<URI> addresses() {
        var current = serving;
        return current == null ? List.of() : current.places().addresses();
    }

    /** The mode in which it serves. */
    public Mode mode() {
        return mode;
    }

    /** Where calls are recorded; in mode {@code TEST} that is a {@link MemoryAuditSink}. */
    public AuditSink auditSink() {
        return sink;
    }

    /** Ends at once: calls under way are answered that the server shuts down. Stopping twice is harmless. */
    public void stop() {
        if (!isStopped.compareAndSet(false, true)) {
            return;
        }
        isStarted.set(true);
        try {
            var current = serving;
            if (current != null) {
                current.close();
            }
        } finally {
            UncaughtFailures.remove(this);
            stopped.countDown();
        }
    }

    /** Stops on a thread of its own, since the one that brings the news has to be ended too. */
    private void stopSoon() {
        new Thread(this::stop, "mcp-bridge-stop").start();
    }

    /** Waits until it has stopped, as it does by itself when its client on standard input has left. */
    public void awaitStop() throws InterruptedException {
        stopped.await();
    }

    @Override
    public void close() {
        stop();
    }

    private void log(Level level, String text) {
        logger.log(level, "[mcp-bridge] " + text);
    }
}
