package io.mcpbridge.testkit.faulty;

import io.mcpbridge.message.Message;
import io.mcpbridge.testkit.StreamPeer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Speaks over a byte stream, one message a line; calls run beside each other. */
final class StreamFront {
    private final Conversation conversation;

    StreamFront(Conversation conversation) {
        this.conversation = conversation;
    }

    /** Serves until the other side leaves. */
    void serve(InputStream in, OutputStream out, Runnable cut) {
        var way = new StreamWay(out, cut);
        new StreamPeer(in, out, cut).run((message, ignored) -> {
            if (Conversation.isLong(message)) {
                Listening.thread("faulty-call", () -> hand(message, way));
            } else {
                hand(message, way);
            }
        });
        doing(() -> conversation.left(way));
    }

    private void hand(Message message, Way way) {
        doing(() -> conversation.received(message, way));
    }

    private static void doing(Step step) {
        try {
            step.run();
        } catch (IOException gone) {
            // The other side left; its end of the stream is noticed by the reader.
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Step {
        void run() throws IOException, InterruptedException;
    }
}
