package io.mcpbridge.gateway;

import io.mcpbridge.call.Call;
import io.mcpbridge.engine.pipeline.AuditStage;
import io.mcpbridge.engine.pipeline.DenialRecorder;
import io.mcpbridge.engine.pipeline.SinkGuard;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.AuditMode;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.GaugeReading;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The audit of one daemon: its sink and the stage that writes to it. Thread-safe; closed last, so no record is lost.
 */
final class DaemonAudit implements AutoCloseable {
    private static final long GRACE_SECONDS = 1;
    private static final int SIZE = Math.max(2, Runtime.getRuntime().availableProcessors());

    private final AuditSinkChoice choice;
    private final AuditSink sink;
    private final SinkGuard guard;
    private final DenialRecorder denialRecorder;
    private final ExecutorService threads = threads();
    private final Optional<AuditStage> stage;

    private DaemonAudit(
            AuditSinkChoice choice, AuditSink sink, Function<Call, AuditedCall> named, Environment environment) {
        this.choice = choice;
        this.sink = sink;
        this.guard = new SinkGuard(sink, environment.logger(), environment.timekeeper());
        this.denialRecorder = new DenialRecorder(guard::denied, named);
        var threads = new BatchingExecutor(this.threads, SIZE, environment.timekeeper());
        this.stage = isOff()
                ? Optional.empty()
                : Optional.of(new AuditStage(
                        choice.mode(), new AuditStage.Records(guard, denialRecorder), environment, threads));
    }

    /**
     * Opens the sink.
     *
     * @param named describes a call whose destination is unknown
     * @throws ConfigurationException if its settings are wrong, its location cannot be used, or it cannot satisfy the
     *     mode
     */
    static DaemonAudit open(AuditSinkChoice choice, Function<Call, AuditedCall> named, Environment environment) {
        var sink = choice.open(environment);
        if (choice.mode().isRequired() && sink.durability() == AuditSink.Durability.NONE) {
            sink.close();
            throw ConfigurationException.of(
                    "'mode' of 'audit' is '%s', but the sink '%s' keeps no record; choose one that does, such as 'file'"
                            .formatted(choice.mode().text(), choice.sink()));
        }
        return new DaemonAudit(choice, sink, named, environment);
    }

    /** The threads that resume calls after their record is durable; started on demand. */
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

    /** The stage that records calls; empty if the audit is off. */
    Optional<AuditStage> stage() {
        return stage;
    }

    /** Records an event outside of calls. */
    void note(AuditNote note) {
        if (!isOff()) {
            guard.note(note);
        }
    }

    /** Records a call that was rejected before it reached the audit stage. */
    void denied(Call call, Failure why) {
        if (!isOff()) {
            denialRecorder.denied(call, why);
        }
    }

    AuditHealth health() {
        return new AuditHealth(
                choice.sink(),
                choice.mode().text(),
                isOff() ? "" : guard.fault().orElse(""),
                choice.mode() == AuditMode.REQUIRED && guard.isStopped(),
                guard.lost(),
                guard.lostSince());
    }

    /** The measured values of the audit; none if it is off. */
    List<GaugeReading> readings() {
        return isOff() ? List.of() : guard.readings();
    }

    @Override
    public void close() {
        // Closing the sink resumes the calls that wait for their records, so the threads end after it.
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
