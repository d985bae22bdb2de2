package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.config.IsolationSettings.ExecutionLimits;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.pipeline.ObserverList;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.engine.pipeline.RecoveryPolicy;
import io.mcpbridge.engine.pipeline.RetryStage;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Secret;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.tool.ToolDefinition;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parts that an upstream is created from.
 *
 * @param settings the server's section of the configuration
 * @param transports makes the transport of each connection, not open yet, from the section or from one with other
 *     limits
 * @param environment clocks, threads and the like
 * @param events receives its events
 * @param catalog stores its tools
 * @param identity the identity of the bridge at the server
 * @param gate limits concurrent starts of processes
 * @param observers the observers of events outside of calls
 * @param reconnecting whether a connection that ended is replaced
 * @param retryPolicy the name of the policy by which its calls are repeated
 * @param names how clients see the names of its tools now
 * @param listFolder the folder with the tools of the last run; null if they are not kept
 */
public record UpstreamParts(
        ServerSettings settings,
        Function<Settings, Transport> transports,
        Environment environment,
        EventBus events,
        ToolCatalog catalog,
        BridgeIdentity identity,
        StartGate gate,
        ObserverList observers,
        Reconnecting reconnecting,
        String retryPolicy,
        Supplier<ToolNaming> names,
        @Nullable Path listFolder) {
    private static final String NEEDS_TASK =
            "its 'execution.taskSupport' is \"required\", and the bridge serves no tasks";

    /** Whether a connection that ended is replaced. */
    public enum Reconnecting {
        /** The next call opens one. */
        ON_DEMAND,
        /** The first end is final. */
        NEVER
    }

    public String name() {
        return settings.name();
    }

    /**
     * Returns the configured address of the server: its URL without secrets, its path or, for a child process, its
     * name.
     */
    public String address() {
        return Stream.of("url", "path")
                .flatMap(key -> settings.settings().text(key).stream())
                .map(Secret::hiddenIn)
                .findFirst()
                .orElseGet(() -> isChild() ? "stdio:" + name() : name());
    }

    /** Whether the server is a child process of the bridge. */
    private boolean isChild() {
        return settings.settings().text("command").isPresent();
    }

    /** Runs {@code start} when it is its turn; {@code start} gets an action to run when the start is over. */
    public void start(Consumer<Runnable> start) {
        if (isChild()) {
            gate.enter(start);
        } else {
            start.accept(() -> {});
        }
    }

    /** The shortest time between two starts of a connection; only starts of processes have one. */
    public Duration startInterval() {
        return isChild() && reconnects() ? settings.reconnect().firstDelay() : Duration.ZERO;
    }

    /** Whether a connection that ended is replaced, as opposed to one whose first end is final. */
    public boolean reconnects() {
        return reconnecting == Reconnecting.ON_DEMAND;
    }

    /**
     * Why a tool is not listed: its definition breaks the protocol, or it runs only as a task. The rule for names keeps
     * the tools of many servers distinct, so it does not apply to a connection to a single server.
     */
    public Optional<String> flaw(ToolDefinition tool, Era era) {
        return tool.flaw(era)
                .or(() -> tool.requiresTask() ? Optional.of(NEEDS_TASK) : Optional.empty())
                .or(() -> reconnects() ? names.get().flaw(settings, tool.name()) : Optional.empty());
    }

    /** The name of a tool for clients; empty if they see none. */
    public Optional<String> exposed(String tool) {
        return reconnects() ? names.get().expose(settings, tool) : Optional.empty();
    }

    /** The failure of calls after {@code why} ended a connection that is never made again. */
    public Failure lost(Failure why) {
        return why.withMessage(
                        "the connection to '%s' is over, so open another one: %s".formatted(address(), why.message()))
                .withDelivery(Delivery.NOT_SENT)
                .withRetryable(false);
    }

    /** The failure of calls once the upstream is closed. */
    public Failure closed() {
        return Failure.of(
                        ErrorCode.PROVIDER_UNAVAILABLE,
                        "the connection to '%s' is closed; open another one".formatted(address()))
                .withRetryable(false)
                .withServer(name());
    }

    /**
     * Returns the failure of a call that found the connection lost. It is transient, since the bridge connects again.
     *
     * @param pause until the next attempt may begin
     */
    public Failure stillLost(Failure why, Duration pause) {
        if (why.code() == ErrorCode.SHUTTING_DOWN) {
            return why;
        }
        var message = "server '%s' was lost and cannot be connected; it may connect again in %d ms at the earliest: %s"
                .formatted(name(), pause.toMillis(), why.message());
        var code = why.code() == ErrorCode.PROVIDER_TIMEOUT ? why.code() : ErrorCode.PROVIDER_UNAVAILABLE;
        return why.withCode(code).withRetryable(true).withMessage(message);
    }

    /** The failure of calls whose connection ended before it was ready. */
    public Failure goneAtOnce() {
        return unavailable("the connection to '%s' ended at once");
    }

    /** The failure of a call whose connection was evicted meanwhile. */
    public Failure evicted() {
        return unavailable("the idle session with '%s' made room for another; call again");
    }

    private Failure unavailable(String why) {
        return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, why.formatted(name()));
    }

    /** Creates a transport whose process may use this many MiB; 0 for the limit of the section. */
    public Transport transport(int memoryMb) {
        return transports.apply(ExecutionLimits.within(memoryMb, settings.settings()));
    }

    /**
     * Reports a failure to one recipient. An exception is a plug-in's defect, which keeps no other from being reported.
     */
    public void report(Runnable report) {
        try {
            report.run();
        } catch (RuntimeException defect) {
            var words = "[mcp-bridge] a call of server '%s' threw as it received its failure".formatted(name());
            environment.logger().log(Level.ERROR, words, defect);
        }
    }

    /** Runs an action that may wait on a worker thread. */
    public void later(Runnable action) {
        later(environment, action);
    }

    /** Runs an action that may wait on a worker thread of {@code environment}. */
    public static void later(Environment environment, Runnable action) {
        try {
            environment.workers().execute(action);
        } catch (RejectedExecutionException stopped) {
            // The workers have ended with the bridge, so this thread may wait.
            action.run();
        }
    }

    /** Passes requests that have no stages on to {@code next}, and again as the recovery policy says. */
    public Handler recovering(Next next) {
        return new Pipeline()
                .add(Position.RETRY, RetryStage.ofOwnRequests(new RecoveryPolicy(reconnects()), environment))
                .handler(next, environment.logger());
    }

    /**
     * A request that the bridge makes for itself. Logs and events identify it by its {@linkplain Caller#cause() cause},
     * or by {@code purpose} and the server without one.
     */
    public Call call(String purpose, String method, String params, Caller caller) {
        var id = caller.cause().isEmpty() ? purpose + "-" + name() : caller.cause();
        return Call.of(Request.of(MessageId.of(0), method, params), caller, id, deadline());
    }

    /**
     * Sends a request that the bridge makes for itself: it is cancelled at its deadline, and has no progress events.
     *
     * @param then receives the outcome
     */
    public static void sendOwn(Handler handler, Call call, Consumer<Outcome> then) {
        var alarm = call.deadline().alarm(() -> call.cancellation().cancel(CancelReason.TIMED_OUT));
        handler.handle(call, outcome -> {
            alarm.cancel();
            then.accept(outcome);
        });
    }

    /** Whether calls are repeated at all. */
    public boolean retriesCalls() {
        return reconnects() && settings.retry().maxRetries() > 0 && !retryPolicy.equals("none");
    }

    /** Returns the deadline for one of the bridge's own requests to this server. */
    public Deadline deadline() {
        return Deadline.after(settings.timeout(), environment.timekeeper());
    }
}
