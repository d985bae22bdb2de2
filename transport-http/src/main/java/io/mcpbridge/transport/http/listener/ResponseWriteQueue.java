package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.ByteBudget;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Queues the response parts for one client. The bytes are bounded per client and for all clients together. Any thread
 * may add a part; the event loop writes the parts in order, at once if the adding thread is the loop. The thread of a whole
 * response may write it itself.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the channel, which comes as an event
final class ResponseWriteQueue {
    /** A longer part is written in pieces, so that its client makes progress, and little of it is copied at a time. */
    static final int PIECE = 64 << 10;

    /** The longest response that its own thread writes. */
    private static final int MAX_AT_ONCE = 256 << 10;

    private final ClientSocket channel;
    private final Timekeeper timekeeper;
    private final long maxBytes;
    private final ByteBudget total;
    private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();
    private final AtomicLong waiting = new AtomicLong();
    private final AtomicBoolean isDraining = new AtomicBoolean();
    /** Whether the next part has to wait for the rest of one; used by the event loop only. */
    private boolean isWritingPieces;

    private volatile long progressedAt;
    private volatile Runnable onProgress = () -> {};

    ResponseWriteQueue(ClientSocket channel, Timekeeper timekeeper, long maxBytes, ByteBudget total) {
        this.channel = channel;
        this.timekeeper = timekeeper;
        this.maxBytes = maxBytes;
        this.total = total;
        this.progressedAt = timekeeper.nanoTime();
    }

    /**
     * Whether a part of this size fits: into the budget of all clients, and into the limit of this one, which an empty
     * queue never exceeds.
     */
    boolean hasRoomFor(ResponseEncoder.EncodedPart part) {
        long before = waiting.get();
        return (before == 0 || before + part.size() <= maxBytes) && total.hasRoomFor(part.size());
    }

    boolean isEmpty() {
        return waiting.get() == 0;
    }

    /** Adds a part, even if there is no room. */
    void put(ResponseEncoder.EncodedPart part) {
        put(part, null);
    }

    /** Adds a part, and an action for the event loop when the part was written or can no longer be. */
    void put(ResponseEncoder.EncodedPart part, @Nullable Runnable then) {
        total.takeAnyway(part.size());
        beforeWaiting();
        waiting.addAndGet(part.size());
        add(new Entry(part, then));
    }

    /** The time of an empty queue does not count as a stall. */
    private void beforeWaiting() {
        if (waiting.get() == 0) {
            progressedAt = timekeeper.nanoTime();
        }
    }

    private void add(Entry entry) {
        entries.add(entry);
        if (channel.eventLoop().inEventLoop()) {
            drain();
        } else if (isDraining.compareAndSet(false, true)) {
            channel.eventLoop().execute(this::drain);
        }
    }

    /**
     * Writes a whole response on this thread, so that the client does not wait for the event loop to wake. What cannot be
     * written now is queued: all of it if the loop has other tasks, if bytes wait already or if the response is large.
     *
     * @param then an action for the event loop when what was queued is written
     * @return whether all was written, and {@code then} is dropped
     */
    boolean writeNow(ResponseEncoder.EncodedPart part, Runnable then) {
        boolean isBusy = ((SingleThreadEventExecutor) channel.eventLoop()).pendingTasks() > 0;
        beforeWaiting();
        if (isBusy || part.size() > MAX_AT_ONCE || !waiting.compareAndSet(0, part.size())) {
            put(part, then);
            return false;
        }
        total.takeAnyway(part.size());
        var bytes = part.encoder().encode(channel.alloc());
        try {
            channel.writeNow(bytes);
        } catch (IOException broken) {
            channel.close();
        }
        if (bytes.isReadable()) {
            add(new Entry(new ResponseEncoder.EncodedPart(part.size(), allocator -> bytes), then));
            return false;
        }
        bytes.release();
        progressed(part.size());
        return true;
    }

    /** Runs an action on the event loop, when the current thread holds no lock any more. */
    void execute(Runnable action) {
        channel.eventLoop().execute(action);
    }

    private void drain() {
        isDraining.set(false);
        for (var entry = next(); entry != null; entry = next()) {
            write(entry.part().encoder().encode(channel.alloc()), entry);
        }
        channel.flush();
    }

    private @Nullable Entry next() {
        return isWritingPieces ? null : entries.poll();
    }

    private void write(ByteBuf bytes, Entry entry) {
        isWritingPieces = bytes.readableBytes() > PIECE;
        if (isWritingPieces) {
            channel.writeAndFlush(bytes.readRetainedSlice(PIECE)).addListener(done -> {
                progressedAt = timekeeper.nanoTime();
                write(bytes, entry);
                drain();
            });
            return;
        }
        var written =
                channel.write(bytes).addListener(done -> progressed(entry.part().size()));
        var then = entry.then();
        if (then == null) {
            return;
        }
        channel.flush();
        if (written.isDone()) {
            then.run();
        } else {
            written.addListener(done -> execute(then));
        }
    }

    private void progressed(int size) {
        waiting.addAndGet(-size);
        total.giveBack(size);
        progressedAt = timekeeper.nanoTime();
        onProgress.run();
    }

    /** Whether the client has read nothing for this long although bytes wait for it. */
    boolean isStalled(Duration limit) {
        return waiting.get() > 0 && timekeeper.nanoTime() - progressedAt > limit.toNanos();
    }

    /** Whether nothing was written for this long. */
    boolean isIdle(Duration span) {
        return waiting.get() == 0 && timekeeper.nanoTime() - progressedAt > span.toNanos();
    }

    /** Runs {@code action} after each part that was written. */
    void onProgress(Runnable action) {
        onProgress = action;
    }

    /** The number of waiting bytes. */
    long waitingBytes() {
        return waiting.get();
    }

    /** A part, and the action to run when the part was written. */
    private record Entry(
            ResponseEncoder.EncodedPart part, @Nullable Runnable then) {}
}
