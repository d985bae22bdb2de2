package io.mcpbridge.engine.upstream.isolated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Reply;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.upstream.affinity.SessionKey;
import io.mcpbridge.engine.upstream.connection.CallQueueLimit;
import io.mcpbridge.engine.upstream.isolated.SingleUseProcess.Kind;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.tool.ToolDefinition;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool alone, whose processes the test starts: which of them use a place, and in which order they end. */
@Timeout(60)
class SingleUseProcessPoolTest {
    private static final Kind KIND = new Kind(new SessionKey("alice", "{}", 0), 0);
    private static final Kind OTHER = new Kind(KIND.key(), 512);
    private static final Caller CALLER = Caller.ANONYMOUS.withSession("alice");
    private static final Failure WHY = Failure.of(ErrorCode.PROVIDER_INIT_FAILED, "no luck");

    private final FakeTimekeeper time = new FakeTimekeeper();
    private final RecordingLogger log = new RecordingLogger();
    private final ArrayDeque<Runnable> work = new ArrayDeque<>();
    private final List<String> happened = new CopyOnWriteArrayList<>();
    private final List<FakeProcess> processes = new ArrayList<>();
    private Consumer<FakeProcess> onCreate = process -> {};

    private SingleUseProcessPool pool(int max) {
        var environment = Environment.of(time, work::add, new PlainProcessLauncher())
                .withLogger(log)
                .withRandom(new java.util.Random(1));
        var settings = Settings.parse(
                "{\"command\":\"x\",\"isolation\":\"call\",\"pool\":{\"warm\":0,\"max\":%d,\"idle\":\"5m\"}}"
                        .formatted(max));
        return new SingleUseProcessPool(
                ServerSettings.of("tools", "stdio", settings), environment, (kind, caller, listener) -> {
                    processes.add(new FakeProcess(listener));
                    onCreate.accept(last());
                    return last();
                });
    }

    private FakeProcess last() {
        return processes.get(processes.size() - 1);
    }

    private void runWork() {
        while (!work.isEmpty()) {
            work.remove().run();
        }
    }

    @Test
    void closeWaitsForCancelledStarts() throws Exception {
        var pool = pool(1);
        pool.acquire(new FakeWaiter());
        var closer = new Thread(() -> {
            pool.close(WHY);
            happened.add("pool closed");
        });

        closer.start();
        Eventually.holds("the pool to be waiting or closed", () -> waitsOrIsOver(closer));
        runWork();
        happened.add("start over");
        last().fail();
        closer.join();

        assertThat(happened).containsExactly("started", "rejected", "hung up", "closed", "start over", "pool closed");
    }

    private static boolean waitsOrIsOver(Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.TERMINATED;
    }

    @Test
    void closeEndsAProcessThatIsStillStarting() throws Exception {
        var pool = pool(1);
        pool.acquire(new FakeWaiter());
        var closer = new Thread(() -> pool.close(WHY));

        closer.start();
        Eventually.holds("the pool to be waiting or closed", () -> waitsOrIsOver(closer));
        runWork();
        happened.clear();
        last().ready();
        runWork();
        closer.join();

        assertThat(happened).containsExactly("hung up", "closed");
        assertThat(pool.status().size()).isZero();
    }

    @Test
    void closeAsksAllProcessesToEndBeforeItWaits() throws Exception {
        var pool = pool(12);
        begin(pool, 12);
        happened.clear();
        var closer = new Thread(() -> pool.close(WHY));

        closer.start();
        Eventually.holds("the pool to be waiting or closed", () -> waitsOrIsOver(closer));
        runWork();
        closer.join();

        assertThat(happened.subList(0, 12)).containsOnly("hung up");
        assertThat(happened.subList(12, 24)).containsOnly("closed");
        assertThat(happened).hasSize(24);
    }

    /** Has so many calls begin. */
    private void begin(SingleUseProcessPool pool, int calls) {
        for (int i = 0; i < calls; i++) {
            pool.acquire(new FakeWaiter());
            last().ready();
        }
    }

    @Test
    void closeAsksProcessesThatWaitForAThreadToEnd() throws Exception {
        var pool = pool(6);
        begin(pool, 6);
        processes.forEach(pool::release);
        happened.clear();
        var closer = new Thread(() -> pool.close(WHY));

        closer.start();
        Eventually.holds("the pool to be waiting or closed", () -> waitsOrIsOver(closer));

        assertThat(happened).hasSize(6).containsOnly("hung up");
        assertThat(work).hasSize(6);
        runWork();
        closer.join();
    }

    @Test
    void fourProcessesAreClosedConcurrently() {
        var pool = pool(5);
        begin(pool, 5);
        happened.clear();

        processes.forEach(pool::release);

        assertThat(work).hasSize(4);
        work.remove().run();
        assertThat(work).hasSize(4);
        runWork();
        assertThat(happened).hasSize(5).containsOnly("closed");
        assertThat(pool.status().size()).isZero();
    }

    @Test
    void processThatThrowsOnCloseReleasesItsThreadAndPlace() {
        var pool = pool(5);
        begin(pool, 5);
        processes.subList(0, 4).forEach(process -> process.onClose = SingleUseProcessPoolTest::fail);

        processes.forEach(pool::release);

        for (int i = 0; i < 4; i++) {
            assertThatThrownBy(() -> work.remove().run()).hasMessage("a plug-in's defect");
        }
        runWork();
        assertThat(happened).endsWith("closed");
        assertThat(pool.status().size()).isZero();
    }

    @Test
    void interruptedCloseKillsTheRemainingProcesses() throws Exception {
        var pool = pool(1);
        begin(pool, 1);
        var closer = new Thread(() -> pool.close(WHY));
        closer.start();
        Eventually.holds("the pool to be waiting or closed", () -> waitsOrIsOver(closer));
        happened.clear();

        closer.interrupt();
        closer.join();
        runWork();

        assertThat(happened).containsExactly("closed", "killed");
    }

    @Test
    void replyThatThrowsDoesNotAffectOtherWaiters() {
        var pool = pool(1);
        pool.acquire(new FakeWaiter(KIND, SingleUseProcessPoolTest::fail));
        pool.acquire(new FakeWaiter());

        last().fail();

        assertThat(happened).containsExactly("started", "rejected", "rejected");
        assertThat(log.lines()).containsExactly("[mcp-bridge] a call or a process of a pool failed");
    }

    @Test
    void replyThatThrowsReleasesItsPlace() {
        var pool = pool(1);
        pool.acquire(new FakeWaiter(KIND, SingleUseProcessPoolTest::fail));
        last().fail();
        time.advance(Duration.ofMinutes(1));

        pool.acquire(new FakeWaiter());

        assertThat(happened).containsExactly("started", "rejected", "started");
    }

    @Test
    void nextStartRunsThoughAnEarlierReplyThrows() {
        var pool = pool(1);
        pool.acquire(new FakeWaiter(KIND, SingleUseProcessPoolTest::fail));
        pool.acquire(new FakeWaiter());
        pool.acquire(new FakeWaiter(OTHER, () -> {}));
        happened.clear();

        last().fail();

        assertThat(happened).containsExactly("rejected", "rejected", "started");
    }

    @Test
    void processWhoseCallThrowsIsKilledAndReleasesItsPlace() {
        var pool = pool(1);
        pool.acquire(new FakeWaiter(KIND, SingleUseProcessPoolTest::fail));

        last().ready();
        runWork();

        assertThat(happened).containsExactly("started", "accepted", "killed");
        assertThat(pool.status().size()).isZero();
    }

    @Test
    void reservationOfAnEndedProcessExpiresWithoutEffect() {
        var pool = pool(1);
        begin(pool, 1);
        pool.reserve(last(), new SingleUseProcess.ResumeKey(CALLER.principal(), "echo", "s"), Duration.ofMinutes(10));
        last().listener.ended(last(), WHY, true);
        happened.clear();

        time.advance(Duration.ofMinutes(11));
        runWork();

        assertThat(happened).isEmpty();
        assertThat(pool.status().size()).isZero();
    }

    @Test
    void processClosedBeforeItsStartReportsItsEnd() {
        var pool = pool(1);
        pool.acquire(new FakeWaiter(KIND, () -> {
            Thread.currentThread().interrupt();
            pool.close(WHY);
        }));
        pool.acquire(new FakeWaiter(OTHER, () -> {}));
        onCreate = process -> process.onClose = process::fail;
        last().failure = Optional.of(WHY);

        last().ready();
        runWork();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(happened.indexOf("hung up")).isLessThan(happened.lastIndexOf("started"));
        assertThat(pool.status().size()).isZero();
    }

    @Test
    void discardedProcessDoesNotResetTheBackoff() {
        var pool = pool(1);
        pool.acquire(new FakeWaiter());
        last().fail();
        time.advance(Duration.ofSeconds(2));
        begin(pool, 1);
        pool.discard(last());
        runWork();
        pool.acquire(new FakeWaiter());
        last().fail();

        var rejected = new FakeWaiter();
        pool.acquire(rejected);

        assertThat(rejected.reason()).contains("failed 2 time(s) in a row");
    }

    @Test
    void endedProcessOfACancelledCallIsNotReused() {
        var pool = pool(1);
        var withdrawn = new FakeWaiter(KIND, () -> last().failure = Optional.of(WHY));
        withdrawn.accepts = false;
        pool.acquire(withdrawn);
        pool.acquire(new FakeWaiter());

        last().ready();
        runWork();
        last().ready();

        assertThat(happened).containsExactly("started", "accepted", "closed", "started", "accepted");
        assertThat(processes).hasSize(2);
    }

    private static void fail() {
        throw new IllegalStateException("a plug-in's defect");
    }

    /** A call that runs an action when it is accepted or rejected. */
    private final class FakeWaiter implements SingleUseProcess.Waiter {
        private final Kind kind;
        private final Runnable reply;
        private boolean accepts = true;
        private @Nullable Failure why;

        private FakeWaiter() {
            this(KIND, () -> {});
        }

        private FakeWaiter(Kind kind, Runnable reply) {
            this.kind = kind;
            this.reply = reply;
        }

        private String reason() {
            return Objects.requireNonNull(why).message();
        }

        @Override
        public Kind kind() {
            return kind;
        }

        @Override
        public Caller caller() {
            return CALLER;
        }

        @Override
        public Optional<SingleUseProcess.ResumeKey> resumeKey() {
            return Optional.empty();
        }

        @Override
        public boolean accept(SingleUseProcess process) {
            happened.add("accepted");
            reply.run();
            return accepts;
        }

        @Override
        public void reject(Failure reason) {
            why = reason;
            happened.add("rejected");
            reply.run();
        }
    }

    /** Records what the pool does with it. */
    private final class FakeProcess implements SingleUseProcess {
        private final Listener listener;
        private Runnable onClose = () -> {};
        private Optional<Failure> failure = Optional.empty();

        private FakeProcess(Listener listener) {
            this.listener = listener;
        }

        private void ready() {
            listener.ready(this);
        }

        private void fail() {
            listener.failed(this, WHY);
            listener.gone(this);
        }

        @Override
        public void start() {
            happened.add("started");
        }

        @Override
        public Optional<Failure> failure() {
            return failure;
        }

        @Override
        public Map<String, ToolDefinition> tools() {
            return Map.of();
        }

        @Override
        public void serve(Call call, Reply reply, CallQueueLimit.Place place) {}

        @Override
        public void hangUp() {
            happened.add("hung up");
        }

        @Override
        public void close() {
            happened.add("closed");
            onClose.run();
        }

        @Override
        public void kill() {
            happened.add("killed");
        }
    }
}
