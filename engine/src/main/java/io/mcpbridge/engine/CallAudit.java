package io.mcpbridge.engine;

import io.mcpbridge.call.Call;
import io.mcpbridge.engine.pipeline.AuditStage;
import io.mcpbridge.engine.pipeline.SinkGuard;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.AuditMode;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.BackgroundThreads;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.GaugeReading;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;

/**
 * The audit of one bridge: its sink and the stage that writes to it. Thread-safe; closed last, so no record is lost.
 */
public final class CallAudit implements AutoCloseable {
    private static final Duration GRACE_PERIOD = Duration.ofSeconds(1);
    private static final int SIZE = Math.max(2, Runtime.getRuntime().availableProcessors());

    private final AuditMode mode;
    private final AuditSink sink;
    private final SinkGuard guard;
    private final DenialRecorder denialRecorder;
    /** The threads that resume calls after their record is durable; started on demand. */
    private final ExecutorService threads = BackgroundThreads.pool("audited", SIZE, Duration.ofSeconds(10));

    private final Optional<AuditStage> stage;

    /**
     * What is required before calls continue.
     *
     * @param maxWait how long a call may be suspended for each of its records
     */
    public record Requirement(AuditMode mode, Duration maxWait) {}

    /**
     * Creates the audit.
     *
     * @param requirement what is required before calls continue
     * @param sink an open sink, which this object closes
     * @param named describes a call whose destination is unknown
     */
    public CallAudit(
            Requirement requirement, AuditSink sink, Function<Call, AuditedCall> named, Environment environment) {
        this.mode = requirement.mode();
        this.sink = sink;
        this.guard = new SinkGuard(sink, environment.logger(), environment.timekeeper());
        this.denialRecorder = new DenialRecorder(guard::denied, named);
        var threads = new BatchingExecutor(this.threads, SIZE, environment.timekeeper());
        var records = new AuditStage.Records(guard, denialRecorder::denied, named, requirement.maxWait());
        this.stage = isOff() ? Optional.empty() : Optional.of(new AuditStage(mode, records, environment, threads));
    }

    private boolean isOff() {
        return mode == AuditMode.OFF;
    }

    /** The stage that records calls; empty if the audit is off. */
    Optional<AuditStage> stage() {
        return stage;
    }

    /** Records an event outside of calls. */
    public void note(AuditNote note) {
        if (!isOff()) {
            guard.note(note);
        }
    }

    /** Records a call that was rejected before it reached the audit stage. */
    public void denied(Call call, Failure why) {
        if (!isOff()) {
            denialRecorder.denied(call, why);
        }
    }

    /** The current error of the sink; empty if there is none. */
    public Optional<String> fault() {
        return isOff() ? Optional.empty() : guard.fault();
    }

    /** Whether calls are rejected because of the error. */
    public boolean stopsCalls() {
        return mode == AuditMode.REQUIRED && guard.isStopped();
    }

    /** The number of records that were not written, or not in time. */
    public long lost() {
        return guard.lost();
    }

    /** When the first of them was lost. */
    public Optional<Instant> lostSince() {
        return guard.lostSince();
    }

    /** The measured values of the audit; none if it is off. */
    public List<GaugeReading> readings() {
        return isOff() ? List.of() : guard.readings();
    }

    @Override
    public void close() {
        // Closing the sink resumes the calls that wait for their records, so the threads end after it.
        sink.close();
        BackgroundThreads.end(threads, GRACE_PERIOD);
    }
}
