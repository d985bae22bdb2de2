package io.mcpbridge.testkit.broken;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.Completion;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** A sink that keeps every promise but the one that a subclass breaks. A thread of its own stores the records. */
class QueuedAuditSink implements AuditSink {
    private final Queue<String> records = new ConcurrentLinkedQueue<>();
    private final ExecutorService writer = Executors.newSingleThreadExecutor(QueuedAuditSink::thread);

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "writer");
        thread.setDaemon(true);
        return thread;
    }

    List<String> records() {
        return List.copyOf(records);
    }

    @Override
    public void enter(ToolEnter event, Completion durable) {
        write(event.call().correlationId(), durable);
    }

    @Override
    public void exit(ToolExit event, Completion durable) {
        write(event.call().correlationId(), durable);
    }

    void write(String id, Completion durable) {
        queue(id, durable);
    }

    void queue(String id, Completion durable) {
        try {
            writer.execute(() -> store(id, durable));
        } catch (RejectedExecutionException closed) {
            durable.failed(closed);
        }
    }

    void store(String id, Completion durable) {
        keep(id, durable);
    }

    void keep(String id, Completion durable) {
        records.add(id);
        durable.succeeded();
    }

    @Override
    public Durability durability() {
        return Durability.PROCESS;
    }

    @Override
    public void close() {
        writer.shutdown();
        try {
            var unused = writer.awaitTermination(30, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
