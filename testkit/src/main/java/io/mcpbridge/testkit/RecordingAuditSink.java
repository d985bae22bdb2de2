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
 * An audit sink that records its events. On request it fails records or delays their completion. Any thread may use it.
 */
public final class RecordingAuditSink implements AuditSink {
    private final List<Record> records = new CopyOnWriteArrayList<>();
    private final Queue<Completion> held = new ConcurrentLinkedQueue<>();
    private volatile @Nullable RuntimeException failure;
    private volatile Optional<String> trouble = Optional.empty();
    private volatile boolean isHolding;
    private volatile boolean isClosed;

    /** Creates a sink that succeeds. */
    public RecordingAuditSink() {}

    /** Fails each record from now on. */
    public RecordingAuditSink failing(RuntimeException why) {
        failure = why;
        return this;
    }

    /** Reports a fault from now on, but still accepts every record. */
    public RecordingAuditSink troubled(String words) {
        trouble = Optional.of(words);
        return this;
    }

    /** From now on, does not complete records for which a caller waits. */
    public RecordingAuditSink holding() {
        isHolding = true;
        return this;
    }

    /** Succeeds from now on, and completes all waiting records. */
    public RecordingAuditSink well() {
        failure = null;
        trouble = Optional.empty();
        isHolding = false;
        for (var each = held.poll(); each != null; each = held.poll()) {
            each.succeeded();
        }
        return this;
    }

    /** The events so far, in order. */
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

    /** Fails all waiting records. */
    @Override
    public void close() {
        isClosed = true;
        for (var each = held.poll(); each != null; each = held.poll()) {
            each.failed(new IllegalStateException("the sink is closed"));
        }
    }
}
