package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.ByteBudget;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelProgressiveFuture;
import io.netty.channel.ChannelProgressiveFutureListener;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What waits to be written to one client, bounded in bytes, alone and together with all others. Any thread may put
 * something in; the event loop takes it out in that order, at once where the putting thread is the loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, which is heard
final class Outbox {
    /** Pieces of which a client may take a part within the write deadline without being stalled. */
    private static final int LARGE = 64 << 10;

    private final Channel channel;
    private final Timekeeper timekeeper;
    private final long mostBytes;
    private final ByteBudget ofAll;
    private final Queue<HttpText.Entry> entries = new ConcurrentLinkedQueue<>();
    private final AtomicLong waiting = new AtomicLong();
    private final AtomicBoolean isDraining = new AtomicBoolean();
    private volatile long movedAt;
    private volatile Runnable whenMoved = () -> {};

    Outbox(Channel channel, Timekeeper timekeeper, long mostBytes, ByteBudget ofAll) {
        this.channel = channel;
        this.timekeeper = timekeeper;
        this.mostBytes = mostBytes;
        this.ofAll = ofAll;
        this.movedAt = timekeeper.nanoTime();
    }

    /**
     * Whether a piece of this size would still fit: into what may wait for all clients together, and into what may
     * wait for this one, where everything does when nothing waits.
     */
    boolean hasRoomFor(HttpText.Piece piece) {
        long before = waiting.get();
        return (before == 0 || before + piece.size() <= mostBytes) && ofAll.hasRoomFor(piece.size());
    }

    boolean isEmpty() {
        return waiting.get() == 0;
    }

    /** Puts in a piece, whether or not there is room. */
    void put(HttpText.Piece piece) {
        put(new HttpText.Entry(piece, null));
    }

    /** Puts in a piece and what follows on the event loop as soon as it was handed to the channel. */
    void put(HttpText.Piece piece, Runnable then) {
        put(new HttpText.Entry(piece, then));
    }

    private void put(HttpText.Entry entry) {
        ofAll.takeAnyway(entry.piece().size());
        if (waiting.getAndAdd(entry.piece().size()) == 0) {
            movedAt = timekeeper.nanoTime();
        }
        entries.add(entry);
        if (channel.eventLoop().inEventLoop()) {
            drain();
        } else if (isDraining.compareAndSet(false, true)) {
            channel.eventLoop().execute(this::drain);
        }
    }

    /** Does something on the event loop, when this thread holds no lock any more. */
    void later(Runnable action) {
        channel.eventLoop().execute(action);
    }

    private void drain() {
        isDraining.set(false);
        boolean wrote = false;
        for (var entry = entries.poll(); entry != null; entry = entries.poll()) {
            int size = entry.piece().size();
            write(entry.piece().encoding().encode(channel.alloc()), size);
            wrote = true;
            if (entry.then() != null) {
                channel.flush();
                entry.then().run();
            }
        }
        if (wrote) {
            channel.flush();
        }
    }

    private void write(ByteBuf bytes, int size) {
        if (size < LARGE) {
            channel.write(bytes).addListener(done -> moved(size));
            return;
        }
        var progress = channel.newProgressivePromise();
        progress.addListener(new Progress(size));
        channel.write(bytes, progress);
    }

    private void moved(int size) {
        waiting.addAndGet(-size);
        ofAll.giveBack(size);
        movedAt = timekeeper.nanoTime();
        whenMoved.run();
    }

    /** Whether the client has read nothing for so long although something waits for it. */
    boolean isStalled(Duration limit) {
        return waiting.get() > 0 && timekeeper.nanoTime() - movedAt > limit.toNanos();
    }

    /** Whether nothing was written for so long. */
    boolean isQuiet(Duration span) {
        return waiting.get() == 0 && timekeeper.nanoTime() - movedAt > span.toNanos();
    }

    /** Runs {@code action} on the event loop whenever a piece was written. */
    void whenMoved(Runnable action) {
        whenMoved = action;
    }

    /** How many bytes wait. */
    long waitingBytes() {
        return waiting.get();
    }

    private final class Progress implements ChannelProgressiveFutureListener {
        private final int size;

        private Progress(int size) {
            this.size = size;
        }

        @Override
        public void operationProgressed(ChannelProgressiveFuture future, long progress, long total) {
            movedAt = timekeeper.nanoTime();
        }

        @Override
        public void operationComplete(ChannelProgressiveFuture future) {
            moved(size);
        }
    }
}
