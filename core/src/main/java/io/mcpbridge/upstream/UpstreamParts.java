package io.mcpbridge.upstream;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.config.ExecutionLimits;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.pipeline.Bystanders;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Secret;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.health.StartGate;
import io.mcpbridge.upstream.introduction.Identity;
import io.mcpbridge.upstream.session.Starts;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What an upstream is made of.
 *
 * @param settings the server's section of the configuration
 * @param transports makes a transport for each session, from the section or from one with other limits
 * @param environment clocks, threads and the like
 * @param events where its events go
 * @param catalog where its tools are kept
 * @param identity how it introduces itself
 * @param gate which processes may start now
 * @param bystanders who watches what belongs to no call
 * @param reconnecting whether a session that ended is followed by another
 * @param retryPolicy the name of the policy by which its calls are repeated
 * @param names how clients see the names of its tools now
 */
public record UpstreamParts(
        ServerSettings settings,
        TransportFactory transports,
        Environment environment,
        EventBus events,
        ToolCatalog catalog,
        Identity identity,
        StartGate gate,
        Bystanders bystanders,
        Reconnecting reconnecting,
        String retryPolicy,
        Supplier<ToolNaming> names) {

    /** Whether a session that ended is followed by another. */
    public enum Reconnecting {
        /** The next call opens one. */
        ON_DEMAND,
        /** The first end is final. */
        NEVER
    }

    String name() {
        return settings.name();
    }

    /** Where the server is, as its section says: its URL without what may be secret, its path or, of a child, its name. */
    String address() {
        return Stream.of("url", "path")
                .flatMap(key -> settings.settings().text(key).stream())
                .map(Secret::hiddenIn)
                .findFirst()
                .orElseGet(() -> isChild() ? "stdio:" + name() : name());
    }

    /** Whether the server is a process of ours. */
    private boolean isChild() {
        return settings.settings().text("command").isPresent();
    }

    /** Begins to open a session, when it is its turn; {@code start} is given what to run when it is over. */
    void start(Consumer<Runnable> start) {
        if (isChild()) {
            gate.enter(start);
        } else {
            start.accept(() -> {});
        }
    }

    /** How often one session may be opened. */
    Starts starts() {
        var timekeeper = environment.timekeeper();
        return isChild() && reconnects()
                ? new Starts(settings.reconnect().maxStarts(), timekeeper)
                : Starts.unlimited(timekeeper);
    }

    boolean reconnects() {
        return reconnecting == Reconnecting.ON_DEMAND;
    }

    /**
     * What of a tool's definition breaks the protocol. A name is what many servers' tools are told apart by, so that its rule
     * does not hold for a connection to one alone.
     */
    Optional<String> flaw(ToolDefinition tool, Era era) {
        return tool.flaw(era).or(() -> reconnects() ? names.get().flaw(name(), tool.name()) : Optional.empty());
    }

    /** What calls are told after {@code why} ended a connection that is never made again. */
    Failure lost(Failure why) {
        return why.withMessage(
                        "the connection to '%s' is over, so open another one: %s".formatted(address(), why.message()))
                .withDelivery(Delivery.NOT_SENT)
                .withRetryable(false);
    }

    /** What calls are told once the upstream is closed. */
    Failure closed() {
        return Failure.of(
                        ErrorCode.PROVIDER_UNAVAILABLE,
                        "the connection to '%s' is closed; open another one".formatted(address()))
                .withRetryable(false)
                .withServer(name());
    }

    /** What calls are told whose session was over before it was ready. */
    Failure goneAtOnce() {
        return unavailable("the connection to '%s' ended at once");
    }

    /** What a call is told whose session has just made room for another. */
    Failure dismissed() {
        return unavailable("the idle session with '%s' made room for another; call again");
    }

    private Failure unavailable(String why) {
        return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, why.formatted(name()));
    }

    /** A new transport for a session that is there for everything. */
    Transport transport() {
        return transports.create(settings.settings());
    }

    /** A new transport for a session whose process may take so many MiB; 0 for as many as the section says. */
    Transport transport(int memoryMb) {
        return transports.create(ExecutionLimits.within(memoryMb, settings.settings()));
    }

    /** Tells somebody something. What is thrown there is a plug-in's defect, which keeps nobody else from being told. */
    void tell(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException defect) {
            var words = "[mcp-bridge] who waited for server '%s' failed when it was told".formatted(name());
            environment.logger().log(Level.ERROR, words, defect);
        }
    }

    /** Ends a session from a thread that must not wait for it. */
    void closeLater(UpstreamSession session) {
        later(session::close);
    }

    /** Does something that may wait, from a thread that must not. */
    void later(Runnable action) {
        try {
            environment.workers().execute(action);
        } catch (RejectedExecutionException stopped) {
            // The workers are gone because the bridge ends; nobody behind this thread is served any more.
            action.run();
        }
    }

    /** The moment by which a request of our own to this server must have its answer. */
    Deadline deadline() {
        return Deadline.after(settings.timeout(), environment.timekeeper());
    }
}
