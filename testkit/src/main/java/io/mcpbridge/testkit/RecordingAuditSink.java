package io.mcpbridge.testkit;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Completion;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * An audit sink that keeps what it receives, and fails as a test wants it: it can fail, or let those who wait for a
 * record wait. Any thread.
 */
public final class RecordingAuditSink implements AuditSink {
    private final List<Record> records = new CopyOnWriteArrayList<>();
    private final Queue<Completion> held = new ConcurrentLinkedQueue<>();
    private volatile @Nullable RuntimeException failure;
    private volatile Optional<String> trouble = Optional.empty();
    private volatile boolean isHolding;
    private volatile boolean isClosed;

    /** One that is well and has heard nothing. */
    public RecordingAuditSink() {}

    /** Fails each record from now on. */
    public RecordingAuditSink failing(RuntimeException why) {
        failure = why;
        return this;
    }

    /** Fails at something from now on that keeps no record from being kept. */
    public RecordingAuditSink troubled(String words) {
        trouble = Optional.of(words);
        return this;
    }

    /** Completes no record from now on. */
    public RecordingAuditSink holding() {
        isHolding = true;
        return this;
    }

    /** Works from now on, and completes all records that wait. */
    public RecordingAuditSink well() {
        failure = null;
        trouble = Optional.empty();
        isHolding = false;
        for (var each = held.poll(); each != null; each = held.poll()) {
            each.succeeded();
        }
        return this;
    }

    /** What came, in order. */
    public List<Record> records() {
        return records;
    }

    public List<ToolEnter> enters() {
        return of(ToolEnter.class);
    }

    public List<ToolExit> exits() {
        return of(ToolExit.class);
    }

    public List<ToolDenied> denials() {
        return of(ToolDenied.class);
    }

    public List<AuditNote> notes() {
        return of(AuditNote.class);
    }

    private <T extends Record> List<T> of(Class<T> kind) {
        return records.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public boolean isClosed() {
        return isClosed;
    }

    @Override
    public void enter(ToolEnter event, Completion durable) {
        keep(event, durable);
    }

    @Override
    public void exit(ToolExit event, Completion durable) {
        keep(event, durable);
    }

    private void keep(Record event, Completion durable) {
        records.add(event);
        var why = failure;
        if (why != null) {
            durable.failed(why);
        } else if (isHolding && durable.isAwaited()) {
            held.add(durable);
        } else {
            durable.succeeded();
        }
    }

    @Override
    public void denied(ToolDenied event) {
        records.add(event);
    }

    @Override
    public void note(AuditNote note) {
        records.add(note);
    }

    @Override
    public Optional<String> fault() {
        return trouble;
    }

    @Override
    public boolean isStopped() {
        return failure != null;
    }

    @Override
    public Durability durability() {
        return Durability.DEVICE;
    }

    /** Completes all records that wait. */
    @Override
    public void close() {
        isClosed = true;
        for (var each = held.poll(); each != null; each = held.poll()) {
            each.failed(new IllegalStateException("the sink is closed"));
        }
    }
}
