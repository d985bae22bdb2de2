package io.mcpbridge.benchmarks;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.pipeline.AttemptDeadline;
import io.mcpbridge.pipeline.ManyServersLog;
import io.mcpbridge.pipeline.Pipeline;
import io.mcpbridge.pipeline.RetryBudgetSettings;
import io.mcpbridge.pipeline.RetryStage;
import io.mcpbridge.pipeline.SavedRetryBudget;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.retry.SafeRetryPolicy;
import io.mcpbridge.retry.SafeRetrySettings;
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
import io.mcpbridge.routing.RequestDigests;
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
 * What all stages of a server together cost a call, in the order of {@code ServerStages}, before a server that answers at
 * once. The goal: less than 2 µs more than nothing.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StageOrder {
    private static final ToolHints READ_ONLY = new ToolHints(true, false, true, false, ToolHints.Source.TRUSTED);
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int UNBOUNDED = 1_000_000;

    private final SystemTimekeeper timekeeper = new SystemTimekeeper();
    private final Response answer =
            Response.result(MessageId.of(1), "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}");
    private final Handler server = (call, reply) -> reply.done(Outcome.answered(answer));
    private final RequestDigests digests = new RequestDigests();
    private final Heard heard = new Heard();
    private Handler stages = server;
    private Call changing = call("change");
    private Call reading = call("read");
    private Call kept = call("keep");

    /** Puts the stages in their order. */
    @Setup(Level.Trial)
    public void open() {
        var environment = Environment.with(timekeeper, Runnable::run, new PlainProcessLauncher())
                .build();
        var context = StageContext.of("server", environment)
                .hints(StageOrder::hints)
                .digest(call -> digests.of(call.request()))
                .build();
        var policy = new SafeRetryPolicy(SafeRetrySettings.DEFAULTS, environment.random());
        var rate = new RateLimitSettings.Rate(UNBOUNDED * 1_000.0, UNBOUNDED);
        stages = Pipeline.of(
                List.of(
                        new CacheStage(new CacheSettings(Map.of("keep", Duration.ofHours(1)), 100, 1 << 20), context),
                        new CoalescingStage(CoalescingSettings.DEFAULTS, context),
                        new RateLimitStage(new RateLimitSettings(rate, rate, UNBOUNDED), context),
                        new RetryStage(
                                        call -> policy,
                                        StageOrder::hints,
                                        new ManyServersLog("server", call -> PATIENCE, environment.logger()),
                                        environment)
                                .withBudget(new SavedRetryBudget(RetryBudgetSettings.DEFAULTS, timekeeper)),
                        new BreakerStage(BreakerSettings.DEFAULTS, context),
                        new ConcurrencyStage(ConcurrencySettings.DEFAULTS, context),
                        new AttemptDeadline(call -> PATIENCE)),
                server);
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
        return heard.after(server, changing);
    }

    @Benchmark
    public Outcome everything() {
        return heard.after(stages, changing);
    }

    /** Asks too whether somebody else reads the same. */
    @Benchmark
    public Outcome everythingForReading() {
        return heard.after(stages, reading);
    }

    /** Is answered by the cache. */
    @Benchmark
    public Outcome everythingForKept() {
        return heard.after(stages, kept);
    }

    private static ToolHints hints(Call call) {
        return call.correlationId().equals("change") ? ToolHints.UNDECLARED : READ_ONLY;
    }

    private Call call(String tool) {
        var params = "{\"name\":\"%s\",\"arguments\":{\"owner\":\"someone\",\"number\":42}}".formatted(tool);
        Timekeeper clock = timekeeper;
        return Call.of(
                Request.of(MessageId.of(1), Methods.TOOLS_CALL, params),
                Caller.builder().build(),
                tool,
                Deadline.after(Duration.ofHours(1), clock));
    }

    /** Keeps the outcome, so that nothing is left out of what is measured. */
    private static final class Heard implements Reply {
        private Outcome last = Outcome.answered(Response.result(MessageId.of(0), "{}"));

        private Outcome after(Handler handler, Call call) {
            handler.handle(call, this);
            return last;
        }

        @Override
        public void event(Message progressOrLog) {}

        @Override
        public void done(Outcome outcome) {
            last = outcome;
        }
    }
}
