package io.mcpbridge.engine;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.config.BridgeSettings;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.ClientSide.BridgeStages;
import io.mcpbridge.engine.pipeline.AuditStage;
import io.mcpbridge.engine.routing.Router;
import io.mcpbridge.engine.routing.RoutingTable;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditMode;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Environment;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The client sides of a {@link io.mcpbridge.Bridge}: one of all servers, and one of each server that the program asks
 * for. They use the routes and observers of the bridge, and share its audit, which the first call or client opens. Any
 * thread.
 */
public final class Fronts implements AutoCloseable {
    /** The key of the front of all servers; no server has this name. */
    private static final String ALL = "";

    private final BridgeSettings settings;
    private final Environment environment;
    private final Observers observers;
    private final Map<String, ServerRoute> routes;
    private final Map<String, Front> fronts = new ConcurrentHashMap<>();
    private final Router router;
    /** Guards the creation of fronts and the changes of routing tables, so that each front has the newest table. */
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private boolean isClosed;

    /** Has failed until a thread opens it; empty after the end. */
    private final AtomicReference<CompletableFuture<Optional<CallAudit>>> audit =
            new AtomicReference<>(CompletableFuture.failedFuture(new IllegalStateException("it is not open yet")));

    /** @param routes the current routes by server; call {@link #serverChanged} after each change */
    public Fronts(
            BridgeSettings settings, Environment environment, Observers observers, Map<String, ServerRoute> routes) {
        this.settings = settings;
        this.environment = environment;
        this.observers = observers;
        this.routes = routes;
        this.router = router(ALL);
    }

    private record Front(Router router, ClientSide clients, ListChangeNotifier listChanges) {}

    /**
     * Returns the front of all servers, under exposed names.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the section {@code audit} is wrong
     */
    public Acceptor ofAll() {
        return of(ALL);
    }

    /**
     * Returns the front of one server, under its own names.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the section {@code audit} is wrong
     */
    public Acceptor of(String server) {
        return audit().<Acceptor>flatMap(open -> front(server, open)).orElse(peer -> Optional.empty());
    }

    /**
     * Returns the stage that records the calls of the program; empty if the audit is off, or if it cannot be opened and is
     * not required, such as that of a running daemon.
     */
    public Optional<AuditStage> auditStage() {
        try {
            return audit().flatMap(CallAudit::stage);
        } catch (RuntimeException cannotOpen) {
            if (AuditSinkChoice.of(settings.plugIns().audit()).mode() == AuditMode.REQUIRED) {
                throw cannotOpen;
            }
            environment
                    .logger()
                    .log(
                            Level.WARNING,
                            "[mcp-bridge] the calls of this program are not recorded: " + cannotOpen.getMessage());
            return Optional.empty();
        }
    }

    /** Returns the audit; the first thread opens it. Holds no lock, since a sink may block. */
    private Optional<CallAudit> audit() {
        var mine = new CompletableFuture<Optional<CallAudit>>();
        var open = audit.updateAndGet(last -> last.isCompletedExceptionally() ? mine : last);
        try {
            return (open == mine ? mine.completeAsync(() -> Optional.of(openAudit()), Runnable::run) : open).join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException why ? why : failed;
        }
    }

    private CallAudit openAudit() {
        var choice = AuditSinkChoice.of(settings.plugIns().audit());
        return new CallAudit(choice.requirement(), choice.open(environment), router::named, environment);
    }

    private Optional<ClientSide> front(String server, CallAudit open) {
        lock.lock();
        try {
            return isClosed
                    ? Optional.empty()
                    : Optional.of(fronts.computeIfAbsent(server, name -> newFront(name, open))
                            .clients());
        } finally {
            lock.unlock();
        }
    }

    private Front newFront(String server, CallAudit open) {
        var used = server.equals(ALL) ? router : router(server);
        var stages = new BridgeStages((call, next) -> next.handle(call), observers, open, Optional.empty(), "");
        var clients = ClientSide.ofRouter(used, environment, stages, settings, () -> settings.callTimeout(servers()));
        var listChanges = new ListChangeNotifier(environment.timekeeper());
        listChanges.sendTo(clients::send);
        return new Front(used, clients, listChanges);
    }

    private Router router(String server) {
        return new Router(table(server), environment.timekeeper(), environment.logger());
    }

    private RoutingTable table(String server) {
        if (server.equals(ALL)) {
            return RoutingTable.of(List.copyOf(routes.values()), settings.names(), Map.of(), settings.visibility());
        }
        // The patterns of 'clients' are for exposed names.
        return Optional.ofNullable(routes.get(server))
                .map(RoutingTable::ofOne)
                .orElseGet(() -> RoutingTable.of(List.of(), ToolNaming.PLAIN));
    }

    private List<ServerSettings> servers() {
        return routes.values().stream()
                .map(route -> route.upstream().settings())
                .toList();
    }

    /** Routes calls to the servers that there are now, after this one was added or removed; notifies its clients. */
    public void serverChanged(String server) {
        lock.lock();
        try {
            router.replace(table(ALL));
            Optional.ofNullable(fronts.get(server))
                    .ifPresent(front -> front.router().replace(table(server)));
        } finally {
            lock.unlock();
        }
        frontsOf(server).forEach(front -> front.listChanges().notifyAllLists());
    }

    /** Notifies the clients that see this server that one of its lists has changed. */
    public void listChanged(String server, Notification changed) {
        frontsOf(server).forEach(front -> front.listChanges().accept(changed));
    }

    /** Returns the fronts whose clients see this server. */
    private Stream<Front> frontsOf(String server) {
        return Stream.of(ALL, server).flatMap(name -> Optional.ofNullable(fronts.get(name)).stream());
    }

    /** Records an event outside of calls, if the audit is open. */
    public void note(AuditNote note) {
        var unused = requireNonNull(audit.get()).thenAccept(open -> open.ifPresent(each -> each.note(note)));
    }

    /** Ends the sessions and calls of clients, and rejects new ones. */
    public void endClients() {
        lock.lock();
        try {
            isClosed = true;
        } finally {
            lock.unlock();
        }
        fronts.values().forEach(front -> front.clients().close(CancelReason.SHUTTING_DOWN));
    }

    /** Closes the audit, after the servers; a second call does nothing. */
    @Override
    public void close() {
        endClients();
        audit.getAndSet(CompletableFuture.completedFuture(Optional.empty()))
                .exceptionally(never -> Optional.empty())
                .join()
                .ifPresent(CallAudit::close);
    }
}
