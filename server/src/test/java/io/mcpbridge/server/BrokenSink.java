package io.mcpbridge.server;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Completion;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** An audit sink that fails where a test wants it to; what reaches it is kept all the same. */
final class BrokenSink implements AuditSink {
    /** How it fails. */
    enum Fault {
        ENTER_THROWS,
        ENTER_BREAKS,
        ENTER_FAILS,
        ENTER_HANGS,
        EXIT_THROWS,
        EXIT_BREAKS,
        EXIT_FAILS,
        EXIT_TELLS_TWICE,
        DENIED_THROWS,
        DENIED_BREAKS,
        NOTE_THROWS,
        NOTE_BREAKS
    }

    private final Set<Fault> faults;
    private final List<Record> records = new CopyOnWriteArrayList<>();

    BrokenSink(Fault first, Fault... others) {
        faults = EnumSet.of(first, others);
    }

    List<Record> records() {
        return records;
    }

    @Override
    public void enter(ToolEnter event, Completion durable) {
        records.add(event);
        fail(Fault.ENTER_THROWS, Fault.ENTER_BREAKS);
        if (faults.contains(Fault.ENTER_FAILS)) {
            durable.failed(new IllegalStateException("no space left"));
        } else if (!faults.contains(Fault.ENTER_HANGS)) {
            durable.succeeded();
        }
    }

    @Override
    public void exit(ToolExit event, Completion durable) {
        records.add(event);
        fail(Fault.EXIT_THROWS, Fault.EXIT_BREAKS);
        if (faults.contains(Fault.EXIT_FAILS)) {
            durable.failed(new IllegalStateException("no space left"));
        }
        durable.succeeded();
        if (faults.contains(Fault.EXIT_TELLS_TWICE)) {
            durable.succeeded();
            durable.failed(new IllegalStateException("once more"));
        }
    }

    @Override
    public void denied(ToolDenied event) {
        records.add(event);
        fail(Fault.DENIED_THROWS, Fault.DENIED_BREAKS);
    }

    @Override
    public void note(AuditNote note) {
        fail(Fault.NOTE_THROWS, Fault.NOTE_BREAKS);
    }

    private void fail(Fault throwing, Fault breaking) {
        if (faults.contains(throwing)) {
            throw new IllegalStateException("no space left");
        }
        if (faults.contains(breaking)) {
            throw new NoClassDefFoundError("no space left");
        }
    }

    @Override
    public Durability durability() {
        return Durability.NONE;
    }

    @Override
    public void close() {}
}
