package io.mcpbridge.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.SchemaCheckProvider;
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
    private final InMemoryAuditSink audit = new InMemoryAuditSink();
    private final Deque<Runnable> threads = new ArrayDeque<>();

    private Handler tools(SchemaCheckProvider checks, Executor executor) {
        var features = new ServedFeatures(ServerMode.FULL, checks);
        features.add("one", ServeBench.PLAIN, call -> 1);
        features.add("many", ServeBench.PLAIN.inParallel(), call -> 1);
        var trail = new AuditRecorder(audit, new RecordingLogger());
        return features.handler(
                new ToolCallRunner.Resources(trail, executor, time::nanoTime, time, new RecordingLogger()));
    }

    private Handler tools() {
        return tools(Providers.of(SchemaCheckProvider.class).named("json-schema"), threads::add);
    }

    private Call call(String tool) {
        var params = "{\"name\":\"%s\"}".formatted(tool);
        return Call.of(
                Request.of(MessageId.of(1), Methods.TOOLS_CALL, params),
                Caller.ANONYMOUS,
                "id",
                Deadline.after(Duration.ofSeconds(1), time));
    }

    private RecordingReply handle(Handler tools, Call call) {
        var reply = new RecordingReply();
        tools.handle(call, reply);
        return reply;
    }

    @Test
    void b3QueuedCallRunsOnTheThreadOfTheOneBefore() {
        var tools = tools();

        var first = handle(tools, call("one"));
        var second = handle(tools, call("one"));

        assertThat(threads).hasSize(1);
        threads.remove().run();
        assertThat(first.isDone()).isTrue();
        assertThat(second.isDone()).isTrue();
        assertThat(threads).isEmpty();
    }

    @Test
    void b3CancelledCallLeavesTheQueue() {
        var tools = tools();
        handle(tools, call("one"));
        var waiting = call("one");
        var reply = handle(tools, waiting);
        var last = handle(tools, call("one"));

        waiting.cancellation().cancel(CancelReason.CLIENT_GONE);

        assertThat(reply.awaitFailure().message())
                .isEqualTo("'one' was cancelled while it waited for other calls of the tool: the client disconnected");
        threads.remove().run();
        assertThat(last.isDone()).isTrue();
        assertThat(threads).isEmpty();
    }

    @Test
    void b3CallThatArrivesCancelledIsNotQueued() {
        var tools = tools();
        handle(tools, call("one"));
        var late = call("one");
        late.cancellation().cancel(CancelReason.CLIENT_GONE);

        assertThat(handle(tools, late).awaitFailure().message())
                .contains("was cancelled while it waited for other calls of the tool");
    }

    @Test
    void b3CallCancelledBeforeItRunsDoesNotRun() {
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
    void b3TooManyQueuedCallsAreRejected() {
        var tools = tools();
        for (int i = 0; i <= SerialCallQueue.MAX_WAITING; i++) {
            handle(tools, call("one"));
        }

        var failure = handle(tools, call("one")).awaitFailure();

        assertThat(failure.code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(failure.message()).contains("1024 calls of 'one' wait already");
        assertThat(audit.records()).singleElement().isInstanceOf(ToolExit.class);
    }

    @Test
    void b3CallWithoutAThreadIsRejectedAndTheNextOneStarts() {
        var tools = tools(Providers.of(SchemaCheckProvider.class).named("json-schema"), work -> {
            throw new RejectedExecutionException();
        });

        assertThat(handle(tools, call("one")).awaitFailure().message()).isEqualTo("'one' finds no thread to run on");
        assertThat(handle(tools, call("one")).awaitFailure().code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(handle(tools, call("many")).awaitFailure().code()).isEqualTo(ErrorCode.OVERLOADED);
    }

    @Test
    void b4DefectOfACheckFailsItsCallOnly() {
        var tools = tools(new BrokenChecks(new IllegalStateException("a defect of the check")), Runnable::run);

        var answer = handle(tools, call("one")).awaitAnswer();

        assertThat(answer.json()).contains("HANDLER_ERROR", "a defect of the check");
        assertThat(audit.records())
                .singleElement()
                .isInstanceOfSatisfying(
                        ToolExit.class, exit -> assertThat(exit.outcome()).isInstanceOf(Outcome.Failed.class));
    }

    @Test
    void b3VirtualThreadsAreUsedIfAvailable() throws Exception {
        for (var threads : java.util.List.of(
                RunningServer.callThreads(),
                RunningServer.callThreads(Executors.class, "newCachedThreadPool"),
                RunningServer.callThreads(Executors.class, "noSuchMethod"))) {
            var ran = new CountDownLatch(1);

            threads.execute(ran::countDown);

            ran.await();
            threads.shutdown();
        }
    }

    @Test
    void ownThreadsAreDaemons() throws Exception {
        var isDaemon = new java.util.concurrent.CompletableFuture<Boolean>();
        try (var own = RunningServer.environment(ToolServerOptions.DEFAULTS)) {
            own.environment()
                    .workers()
                    .execute(() -> isDaemon.complete(Thread.currentThread().isDaemon()));

            assertThat(isDaemon.get()).isTrue();
        }
    }

    @Test
    void clockDefaultsToThatOfTheEnvironment() {
        var environment =
                io.mcpbridge.spi.Environment.of(time, Runnable::run, new io.mcpbridge.process.PlainProcessLauncher());
        var options = ToolServerOptions.builder().environment(environment).build();
        time.advance(Duration.ofSeconds(3));

        assertThat(options.clock().getAsLong()).isEqualTo(time.nanoTime());
        environment.launcher().close();
    }
}
