package io.mcpbridge.gateway;

import io.mcpbridge.call.Call;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.pipeline.OneOutcome;
import io.mcpbridge.pipeline.audit.AuditStage;
import io.mcpbridge.pipeline.audit.AuditTargets;
import io.mcpbridge.pipeline.audit.Denials;
import io.mcpbridge.pipeline.audit.SinkGuard;
import io.mcpbridge.spi.AuditMode;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Reading;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The audit of one daemon: its sink, and what hands records to it. Any thread; closed last, so that nothing is lost. */
final class DaemonAudit implements AutoCloseable {
    private static final long GRACE_SECONDS = 1;
    private static final int SIZE = Math.max(2, Runtime.getRuntime().availableProcessors());

    private final AuditChoice choice;
    private final AuditSink sink;
    private final AuditTargets targets;
    private final Environment environment;
    private final SinkGuard guard;
    private final Denials denials;
    private final ExecutorService threads = threads();
    private final Executor goingOn;

    private DaemonAudit(AuditChoice choice, AuditSink sink, AuditTargets targets, Environment environment) {
        this.choice = choice;
        this.sink = sink;
        this.targets = targets;
        this.environment = environment;
        this.guard = new SinkGuard(sink, environment.logger(), environment.timekeeper());
        this.denials = new Denials(guard::denied, targets::named);
        this.goingOn = new FewThreads(threads, SIZE, environment.timekeeper());
    }

    /**
     * Opens the sink.
     *
     * @param targets finds what calls are about
     * @throws ConfigurationException if its settings are wrong, its place cannot be used, or it cannot keep what the mode
     *     requires
     */
    static DaemonAudit open(AuditChoice choice, AuditTargets targets, Environment environment) {
        var sink = choice.open(environment);
        if (choice.mode().isRequired() && sink.durability() == AuditSink.Durability.NONE) {
            sink.close();
            throw ConfigurationException.of(
                    "'mode' of 'audit' is '%s', but the sink '%s' keeps no record; choose one that does, such as 'file'"
                            .formatted(choice.mode().text(), choice.sink()));
        }
        return new DaemonAudit(choice, sink, targets, environment);
    }

    /** Where calls go on that had to wait for their records; none are there before the first of them. */
    private static ExecutorService threads() {
        var count = new AtomicInteger();
        var threads = new ThreadPoolExecutor(SIZE, SIZE, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
            var thread = new Thread(work, "mcp-bridge-audited-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    private boolean isOff() {
        return choice.mode() == AuditMode.OFF;
    }

    /** The stage in which calls are recorded, and what keeps it from missing the end of one; none where that is off. */
    List<CallStage> stages() {
        return isOff()
                ? List.of()
                : List.of(
                        AuditStage.of(
                                targets, choice.mode(), new AuditStage.Records(guard, denials), environment, goingOn),
                        new OneOutcome(environment.logger()));
    }

    /** Records what belongs to no call. */
    void note(AuditNote note) {
        if (!isOff()) {
            guard.note(note);
        }
    }

    /** Records that a call was refused before it came to the stage, or before it began. */
    void denied(Call call, Failure why) {
        if (!isOff()) {
            denials.denied(call, why);
        }
    }

    AuditCondition condition() {
        return new AuditCondition(
                choice.sink(),
                choice.mode().text(),
                isOff() ? "" : guard.trouble().orElse(""),
                choice.mode() == AuditMode.REQUIRED && guard.isStopped(),
                guard.lost(),
                guard.lostSince());
    }

    /** What there is to see of it; nothing where it is off. */
    List<Reading> readings() {
        return isOff() ? List.of() : guard.readings();
    }

    @Override
    public void close() {
        // Calls that wait for their records go on with this, so the threads come after it.
        sink.close();
        threads.shutdown();
        try {
            if (!threads.awaitTermination(GRACE_SECONDS, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException hurried) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
