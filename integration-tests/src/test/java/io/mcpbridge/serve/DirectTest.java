package io.mcpbridge.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.serve.schema.MinimalSchemaCheckProvider;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.spi.ToolExit;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The stages without anything around them, where a test decides when a thread runs. */
@Timeout(60)
class DirectTest {
    private final FakeTimekeeper time = new FakeTimekeeper();
    private final MemoryAuditSink audit = new MemoryAuditSink();
    private final Deque<Runnable> threads = new ArrayDeque<>();

    private ServedTools tools(SchemaCheckProvider checks, Executor executor) {
        var registry = new ToolRegistry(Mode.FULL, checks);
        registry.add("one", ServeBench.PLAIN, call -> 1);
        registry.add("many", ServeBench.PLAIN.inParallel(), call -> 1);
        var trail = new AuditTrail(audit, new RecordingLogger());
        return new ServedTools(registry, new RunParts(trail, executor, time::nanoTime, time));
    }

    private ServedTools tools() {
        return tools(new MinimalSchemaCheckProvider(), threads::add);
    }

    private Call call(String tool) {
        var params = "{\"name\":\"%s\"}".formatted(tool);
        return Call.of(
                Request.of(MessageId.of(1), Methods.TOOLS_CALL, params),
                Caller.builder().build(),
                "id",
                Deadline.after(Duration.ofSeconds(1), time));
    }

    private RecordingReply handle(ServedTools tools, Call call) {
        var reply = new RecordingReply();
        tools.handle(call, reply);
        return reply;
    }

    @Test
    void b3ACallThatWaitsForItsTurnHoldsNoThread() {
        var tools = tools();

        var first = handle(tools, call("one"));
        var second = handle(tools, call("one"));

        assertThat(threads).hasSize(1);
        threads.remove().run();
        assertThat(first.isDone()).isTrue();
        assertThat(threads).hasSize(1);
        assertThat(second.isDone()).isFalse();
        threads.remove().run();
        assertThat(second.isDone()).isTrue();
    }

    @Test
    void b3ACallThatIsWithdrawnLeavesTheQueue() {
        var tools = tools();
        handle(tools, call("one"));
        var waiting = call("one");
        var reply = handle(tools, waiting);
        var last = handle(tools, call("one"));

        waiting.cancellation().cancel(CancelReason.CLIENT_GONE);

        assertThat(reply.awaitFailure().message()).isEqualTo("'one' did not get its turn: the client disconnected");
        threads.remove().run();
        threads.remove().run();
        assertThat(last.isDone()).isTrue();
        assertThat(threads).isEmpty();
    }

    @Test
    void b3ACallThatComesWithdrawnDoesNotWait() {
        var tools = tools();
        handle(tools, call("one"));
        var late = call("one");
        late.cancellation().cancel(CancelReason.CLIENT_GONE);

        assertThat(handle(tools, late).awaitFailure().message()).contains("did not get its turn");
    }

    @Test
    void b3ACallThatWasWithdrawnBeforeItRunsDoesNotRun() {
        var tools = tools();
        var call = call("many");
        var reply = handle(tools, call);

        call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
        threads.remove().run();

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(audit.records()).singleElement().isInstanceOf(ToolExit.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void b3TooManyThatWaitAreTurnedAway() {
        var tools = tools();
        for (int i = 0; i <= Turns.MOST_WAITING; i++) {
            handle(tools, call("one"));
        }

        var failure = handle(tools, call("one")).awaitFailure();

        assertThat(failure.code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(failure.message()).contains("1024 calls of 'one' wait for their turn");
        assertThat(audit.records()).singleElement().isInstanceOf(ToolExit.class);
    }

    @Test
    void b3ACallWithoutAThreadIsTurnedAwayAndPassesItsTurnOn() {
        var tools = tools(new MinimalSchemaCheckProvider(), work -> {
            throw new RejectedExecutionException();
        });

        assertThat(handle(tools, call("one")).awaitFailure().message()).isEqualTo("'one' finds no thread to run on");
        assertThat(handle(tools, call("one")).awaitFailure().code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(handle(tools, call("many")).awaitFailure().code()).isEqualTo(ErrorCode.OVERLOADED);
    }

    @Test
    void b4ACheckWithADefectFailsTheCallAlone() {
        var tools = tools(new BrokenChecks(new IllegalStateException("a defect of the check")), Runnable::run);

        var answer = handle(tools, call("one")).awaitAnswer();

        assertThat(answer.json()).contains("HANDLER_ERROR", "a defect of the check");
        assertThat(audit.records())
                .singleElement()
                .isInstanceOfSatisfying(
                        ToolExit.class, exit -> assertThat(exit.outcome()).isInstanceOf(Outcome.Failed.class));
    }

    @Test
    void b3ThreadsAreVirtualWhereThereAreSuch() throws Exception {
        for (var threads : java.util.List.of(
                CallThreads.open(),
                CallThreads.open(Executors.class, "newCachedThreadPool"),
                CallThreads.open(Executors.class, "noSuchMethod"))) {
            var ran = new CountDownLatch(1);

            threads.execute(ran::countDown);

            ran.await();
            threads.shutdown();
        }
    }

    @Test
    void ownThreadsAreDaemons() throws Exception {
        var isDaemon = new java.util.concurrent.CompletableFuture<Boolean>();
        try (var own = OwnEnvironment.of(ServerOptions.DEFAULTS)) {
            own.environment()
                    .workers()
                    .execute(() -> isDaemon.complete(Thread.currentThread().isDaemon()));

            assertThat(isDaemon.get()).isTrue();
        }
    }

    @Test
    void theClockIsThatOfTheEnvironmentUnlessThereIsAnother() {
        var environment = io.mcpbridge.spi.Environment.with(
                        time, Runnable::run, new io.mcpbridge.process.PlainProcessLauncher())
                .build();
        var options = ServerOptions.builder().environment(environment).build();
        time.advance(Duration.ofSeconds(3));

        assertThat(options.clock().getAsLong()).isEqualTo(time.nanoTime());
        environment.launcher().close();
    }
}
