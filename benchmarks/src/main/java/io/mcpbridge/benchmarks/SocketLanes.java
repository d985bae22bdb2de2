package io.mcpbridge.benchmarks;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;

/**
 * Makes the calls of many callers on one thread, one at a time for each. A thread for each would use as much CPU as the
 * gateway that is measured.
 */
final class SocketLanes {
    private final DoubleConsumer answers;
    private final Consumer<IOException> failures;
    private int calling;

    /** A caller with a call in flight. */
    private static final class Lane {
        private final SocketCaller caller;
        private long begun;

        private Lane(SocketCaller caller) {
            this.caller = caller;
        }

        private void send(Selector selector) throws IOException {
            if (caller.channel().keyFor(selector) == null) {
                caller.channel().configureBlocking(false).register(selector, SelectionKey.OP_READ, this);
            }
            begun = System.nanoTime();
            caller.send();
        }
    }

    /** {@code answers} takes the time of a call in microseconds, {@code failures} all other calls. */
    SocketLanes(DoubleConsumer answers, Consumer<IOException> failures) {
        this.answers = answers;
        this.failures = failures;
    }

    /** Makes calls until {@code end}, a {@link System#nanoTime}; the last ones have {@code grace} nanoseconds more. */
    void run(List<SocketCaller> callers, long end, long grace) throws IOException {
        try (var selector = Selector.open()) {
            for (var caller : callers) {
                begin(selector, new Lane(caller));
            }
            for (var left = grace; calling > 0 && left > 0; left = end + grace - System.nanoTime()) {
                selector.select(key -> proceed(key, end), TimeUnit.NANOSECONDS.toMillis(left) + 1);
            }
            for (var stuck : selector.keys()) {
                if (stuck.isValid()) {
                    failed((Lane) stuck.attachment(), new IOException("a call has no answer in time"));
                }
            }
        }
        for (var caller : callers) {
            if (caller.channel().isOpen()) {
                caller.channel().configureBlocking(true);
            }
        }
    }

    private void begin(Selector selector, Lane lane) {
        try {
            lane.caller.prepare();
            lane.send(selector);
            calling++;
        } catch (IOException failed) {
            failed(lane, failed);
        }
    }

    private void proceed(SelectionKey key, long end) {
        var lane = (Lane) key.attachment();
        try {
            if (!lane.caller.receive()) {
                return;
            }
            var now = System.nanoTime();
            answers.accept((now - lane.begun) / 1e3);
            if (now < end) {
                lane.send(key.selector());
                return;
            }
        } catch (IOException failed) {
            failed(lane, failed);
        }
        key.cancel();
        calling--;
    }

    /** Connects again, so that no later call reads an answer of an earlier one; the caller is in the next round again. */
    private void failed(Lane lane, IOException why) {
        failures.accept(why);
        try {
            lane.caller.reconnect();
        } catch (IOException unreachable) {
            failures.accept(unreachable);
        }
    }
}
