package io.mcpbridge.benchmarks;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.engine.pipeline.AttemptLogger;
import io.mcpbridge.engine.pipeline.AttemptStage;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.engine.pipeline.RecoveryPolicy;
import io.mcpbridge.engine.pipeline.RetryBudget;
import io.mcpbridge.engine.pipeline.RetryBudgetSettings;
import io.mcpbridge.engine.pipeline.RetryStage;
import io.mcpbridge.engine.translation.RequestDigests;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.retry.BackoffSettings;
import io.mcpbridge.retry.SafeRetryPolicy;
import io.mcpbridge.retry.breaker.BreakerSettings;
import io.mcpbridge.retry.breaker.BreakerStage;
import io.mcpbridge.retry.cache.CacheSettings;
import io.mcpbridge.retry.cache.CacheStage;
import io.mcpbridge.retry.cache.CoalescingSettings;
import io.mcpbridge.retry.cache.CoalescingStage;
import io.mcpbridge.retry.limit.ConcurrencySettings;
import io.mcpbridge.retry.limit.ConcurrencyStage;
import io.mcpbridge.retry.limit.RateLimitSettings;
import io.mcpbridge.retry.limit.RateLimitStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.tool.ToolHints;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of all stages of a server for one call, in the order of {@code Pipeline.Position}, with a server
 * that responds at once. The goal is less than 2 µs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StageOrder {
    private static final ToolHints READ_ONLY = new ToolHints(true, false, true, false, ToolHints.Source.TRUSTED);
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final int UNBOUNDED = 1_000_000;

    private final SystemTimekeeper timekeeper = new SystemTimekeeper();
    private final Response answer =
            Response.result(MessageId.of(1), "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}");
    private final Handler server = (call, reply) -> reply.complete(Outcome.answered(answer));
    private final RequestDigests digests = new RequestDigests();
    private Outcome last = Outcome.answered(Response.result(MessageId.of(0), "{}"));
    private final Reply keeping = outcome -> last = outcome;
    private Handler stages = server;
    private Call changing = call("change");
    private Call reading = call("read");
    private Call kept = call("keep");

    /** Builds the pipeline. */
    @Setup(Level.Trial)
    public void open() {
        var environment = Environment.of(timekeeper, Runnable::run, new PlainProcessLauncher());
        var context = StageContext.of("server", environment)
                .withHints(StageOrder::hints)
                .withDigest(call -> digests.of(call.request()));
        var policy = new SafeRetryPolicy(BackoffSettings.SAFE, environment.random());
        var rate = new RateLimitSettings.Rate(UNBOUNDED * 1_000.0, UNBOUNDED);
        stages = new Pipeline()
                .add(
                        Position.CACHE,
                        new CacheStage(new CacheSettings(Map.of("keep", Duration.ofHours(1)), 100, 1 << 20), context))
                .add(Position.COALESCING, new CoalescingStage(CoalescingSettings.DEFAULTS, context))
                .add(Position.RATE_LIMIT, new RateLimitStage(new RateLimitSettings(rate, rate, UNBOUNDED), context))
                .add(
                        Position.RETRY,
                        new RetryStage(
                                new RetryStage.Rules(
                                        call -> policy,
                                        StageOrder::hints,
                                        new RecoveryPolicy(true),
                                        RetryBudget.of(RetryBudgetSettings.DEFAULTS, timekeeper),
                                        new AttemptLogger.OfServer(
                                                "server",
                                                call -> TIMEOUT,
                                                environment.logger(),
                                                System.Logger.Level.DEBUG)),
                                environment))
                .add(Position.BREAKER, new BreakerStage(BreakerSettings.DEFAULTS, context))
                .add(Position.CONCURRENCY, new ConcurrencyStage(ConcurrencySettings.DEFAULTS, context))
                .add(
                        Position.ATTEMPT,
                        new AttemptStage("server", call -> false, call -> TIMEOUT, List.of(), timekeeper))
                .handler(call -> server.handle(call, call), environment.logger());
        changing = call("change");
        reading = call("read");
        kept = call("keep");
    }

    @TearDown(Level.Trial)
    public void close() {
        timekeeper.close();
    }

    @Benchmark
    public Outcome nothing() {
        return after(server, changing);
    }

    @Benchmark
    public Outcome everything() {
        return after(stages, changing);
    }

    /** With coalescing of equal reads. */
    @Benchmark
    public Outcome everythingForReading() {
        return after(stages, reading);
    }

    /** With a cache hit. */
    @Benchmark
    public Outcome everythingForKept() {
        return after(stages, kept);
    }

    private static ToolHints hints(Call call) {
        return call.correlationId().equals("change") ? ToolHints.UNDECLARED : READ_ONLY;
    }

    private Call call(String tool) {
        var params = "{\"name\":\"%s\",\"arguments\":{\"owner\":\"someone\",\"number\":42}}".formatted(tool);
        Timekeeper clock = timekeeper;
        return Call.of(
                Request.of(MessageId.of(1), Methods.TOOLS_CALL, params),
                Caller.ANONYMOUS,
                tool,
                Deadline.after(Duration.ofHours(1), clock));
    }

    /** Keeps the outcome, so that the compiler removes no measured code. */
    private Outcome after(Handler handler, Call call) {
        handler.handle(call, keeping);
        return last;
    }
}
