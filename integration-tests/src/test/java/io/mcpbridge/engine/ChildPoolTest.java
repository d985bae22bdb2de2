package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.config.IsolationSettings;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.upstream.isolation.ChildKind;
import io.mcpbridge.upstream.isolation.ChildPool;
import io.mcpbridge.upstream.isolation.Guest;
import io.mcpbridge.upstream.isolation.PoolOwner;
import io.mcpbridge.upstream.isolation.PooledChild;
import io.mcpbridge.upstream.session.SessionKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool alone, where the test starts its processes: who keeps a place, and in which order everything ends. */
@Timeout(60)
class ChildPoolTest {
    private static final ChildKind KIND = new ChildKind(new SessionKey("alice", "{}", 0), 0);
    private static final Caller CALLER = Caller.builder().session("alice").build();
    private static final Failure WHY = Failure.of(ErrorCode.PROVIDER_INIT_FAILED, "no luck");

    private final FakeTimekeeper time = new FakeTimekeeper();
    private final RecordingLogger log = new RecordingLogger();
    private final ArrayDeque<Runnable> work = new ArrayDeque<>();
    private final List<String> happened = new CopyOnWriteArrayList<>();

    private ChildPool<Child> pool(int max) {
        var environment = Environment.with(time, work::add, Fakes.NO_LAUNCHER)
                .logger(log)
                .random(new java.util.Random(1))
                .build();
        return new ChildPool<>(new IsolationSettings(true, 0, max, Duration.ofMinutes(5)), environment, new Owner());
    }

    @Test
    void closingWaitsForStartsThatWereGivenUp() throws Exception {
        var pool = pool(1);
        pool.take(new Waiting(() -> {}));
        var closer = new Thread(() -> {
            pool.close(WHY);
            happened.add("closed");
        });

        closer.start();
        Eventually.holds("the pool to be waiting or closed", () -> waitsOrIsOver(closer));
        happened.add("start over");
        pool.failed(KIND, WHY);
        pool.gone();
        closer.join();

        assertThat(happened).containsExactly("started", "refused", "given up", "start over", "closed");
    }

    private static boolean waitsOrIsOver(Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.TERMINATED;
    }

    @Test
    void closingEndsAProcessThatAStartBringsMeanwhile() throws Exception {
        var pool = pool(1);
        pool.take(new Waiting(() -> {}));
        var closer = new Thread(() -> pool.close(WHY));

        closer.start();
        Eventually.holds("the pool to be waiting or closed", () -> waitsOrIsOver(closer));
        pool.started(new Child());
        work.forEach(Runnable::run);
        closer.join();

        assertThat(happened).containsExactly("started", "refused", "given up", "hung up", "ended");
        assertThat(pool.figures().taken()).isZero();
    }

    @Test
    void closingAsksAllToEndBeforeItWaitsForOne() throws Exception {
        var pool = pool(12);
        for (int i = 0; i < 12; i++) {
            pool.take(new Waiting(() -> {}));
            pool.started(new Child());
        }
        happened.clear();
        var closer = new Thread(() -> pool.close(WHY));

        closer.start();
        Eventually.holds("the pool to be waiting or closed", () -> waitsOrIsOver(closer));
        work.forEach(Runnable::run);
        closer.join();

        assertThat(happened.subList(0, 12)).containsOnly("hung up");
        assertThat(happened).endsWith("ended").hasSize(12 + 1 + 12);
    }

    @Test
    void aReplyThatThrowsKeepsNobodyElseFromHearing() {
        var pool = pool(1);
        pool.take(new Waiting(ChildPoolTest::fail));
        pool.take(new Waiting(() -> {}));

        pool.failed(KIND, WHY);
        pool.gone();

        assertThat(happened).containsExactly("started", "refused", "refused");
        assertThat(log.lines()).containsExactly("[mcp-bridge] a call or a process of a pool failed");
    }

    @Test
    void aReplyThatThrowsCostsNoPlace() {
        var pool = pool(1);
        pool.take(new Waiting(ChildPoolTest::fail));
        pool.failed(KIND, WHY);
        pool.gone();
        time.advance(Duration.ofMinutes(1));

        pool.take(new Waiting(() -> {}));

        assertThat(happened).containsExactly("started", "refused", "started");
    }

    @Test
    void aStartIsBegunThoughTheReplyBeforeItThrows() {
        var pool = pool(1);
        pool.take(new Waiting(ChildPoolTest::fail));
        pool.take(new Waiting(KIND, () -> {}));
        pool.take(new Waiting(other(), () -> {}));
        happened.clear();

        pool.failed(KIND, WHY);
        pool.gone();

        assertThat(happened).containsExactly("refused", "refused", "started");
    }

    private static ChildKind other() {
        return new ChildKind(KIND.key(), 512);
    }

    @Test
    void aProcessWhoseCallThrowsIsKilledAndGivesItsPlaceBack() {
        var pool = pool(1);
        pool.take(new Waiting(ChildPoolTest::fail));

        pool.started(new Child());
        work.forEach(Runnable::run);

        assertThat(happened).containsExactly("started", "seated", "killed");
        assertThat(pool.figures().taken()).isZero();
    }

    private static void fail() {
        throw new IllegalStateException("a plug-in's defect");
    }

    /** Notes what is wanted of it, and does nothing by itself. */
    private final class Owner implements PoolOwner {

        @Override
        public void start(ChildKind kind, Caller caller) {
            happened.add("started");
        }

        @Override
        public void giveUp() {
            happened.add("given up");
        }

        @Override
        public void killStarts() {
            happened.add("starts killed");
        }

        @Override
        public String server() {
            return "tools";
        }

        @Override
        public int maxFailures() {
            return 5;
        }
    }

    /** A call that does this with whatever it is told. */
    private final class Waiting implements Guest<Child> {
        private final ChildKind kind;
        private final Runnable reply;

        private Waiting(Runnable reply) {
            this(KIND, reply);
        }

        private Waiting(ChildKind kind, Runnable reply) {
            this.kind = kind;
            this.reply = reply;
        }

        @Override
        public ChildKind kind() {
            return kind;
        }

        @Override
        public Caller caller() {
            return CALLER;
        }

        @Override
        public boolean sit(Child child) {
            happened.add("seated");
            reply.run();
            return true;
        }

        @Override
        public void refuse(Failure why) {
            happened.add("refused");
            reply.run();
        }
    }

    private final class Child implements PooledChild {

        @Override
        public ChildKind kind() {
            return KIND;
        }

        @Override
        public Optional<Failure> failure() {
            return Optional.empty();
        }

        @Override
        public void hangUp() {
            happened.add("hung up");
        }

        @Override
        public void end() {
            happened.add("ended");
        }

        @Override
        public void kill() {
            happened.add("killed");
        }
    }
}
