package io.mcpbridge.testkit.broken;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.Transport.Receiver;
import io.mcpbridge.testkit.InMemoryTransport;
import io.mcpbridge.testkit.contract.TransportContract;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transports with one broken promise each, under their contract. The build does not run them by themselves. */
final class BrokenContracts {

    private BrokenContracts() {}

    /** Keeps every promise but the one that a subclass breaks. It waits briefly for what never happens. */
    @ExtendWith(OnlyWhenAsked.class)
    abstract static class Suite extends TransportContract {
        @Override
        protected Transport transportToEcho() throws IOException {
            return new BrokenTransport(this);
        }

        @Override
        protected Transport unreachableTransport() {
            return InMemoryTransport.unreachable();
        }

        @Override
        protected Duration timeout() {
            return Duration.ofSeconds(1);
        }

        void send(Transport whole, Receiver receiver, Outgoing out) {
            whole.send(out);
        }

        boolean abandon(Transport whole, Outgoing out, String reason) {
            return whole.abandon(out, reason);
        }

        void close(Transport whole) {
            whole.close();
        }

        void written(Receiver receiver, Outgoing out) {
            receiver.writing(out);
        }

        void message(Receiver receiver, Message message) {
            receiver.message(message, Optional.empty());
        }

        void closed(Receiver receiver, Closed why) {
            receiver.closed(why);
        }
    }

    /** Never says that a message was handed over, so that calls would be repeated that may have run. */
    static final class ForgetsWritten extends Suite {
        @Override
        void written(Receiver receiver, Outgoing out) {}
    }

    /** Says that a message was handed over as soon as it is sent, and again when it is. */
    static final class WrittenTooSoon extends Suite {
        @Override
        void send(Transport whole, Receiver receiver, Outgoing out) {
            receiver.writing(out);
            whole.send(out);
        }
    }

    /** Reports the end of the connection twice. */
    static final class ClosesTwice extends Suite {
        @Override
        void closed(Receiver receiver, Closed why) {
            receiver.closed(why);
            receiver.closed(why);
        }
    }

    /** Loses every tenth notification. */
    static final class LosesMessages extends Suite {
        private int count;

        @Override
        void message(Receiver receiver, Message message) {
            if (!(message instanceof Notification) || ++count % 10 != 0) {
                super.message(receiver, message);
            }
        }
    }

    /** Takes characters for bytes, as a reader does that decodes each piece by itself. */
    static final class GarblesText extends Suite {
        @Override
        void message(Receiver receiver, Message message) {
            super.message(receiver, garbled(message));
        }

        private static Message garbled(Message message) {
            if (message instanceof Response response && !message.json().equals(ascii(message.json()))) {
                return Response.result(
                        response.id().orElseThrow(),
                        ascii(response.raw(MessageField.RESULT).orElse("")));
            }
            return message;
        }

        private static String ascii(String text) {
            return text.replaceAll("[^\\x00-\\x7f]", "?");
        }
    }

    /** Forgets to cancel on the wire. */
    static final class NeverCancels extends Suite {
        @Override
        boolean abandon(Transport whole, Outgoing out, String reason) {
            return false;
        }
    }

    /** Delivers each message twice. */
    static final class DeliversTwice extends Suite {
        @Override
        void message(Receiver receiver, Message message) {
            super.message(receiver, message);
            super.message(receiver, message);
        }
    }

    /** Does not report the end of the connection. */
    static final class NeverReportsTheEnd extends Suite {
        @Override
        void closed(Receiver receiver, Closed why) {}
    }

    /** Throws at a message after its end. */
    static final class ThrowsAfterClose extends Suite {
        private volatile boolean isClosed;

        @Override
        void send(Transport whole, Receiver receiver, Outgoing out) {
            if (isClosed) {
                throw new IllegalStateException("closed");
            }
            whole.send(out);
        }

        @Override
        void close(Transport whole) {
            isClosed = true;
            whole.close();
        }
    }

    /** Leaves a socket open for each connection. */
    static final class LeavesASocket extends Suite {
        private final List<ServerSocket> sockets = new ArrayList<>();

        @Override
        protected Transport transportToEcho() throws IOException {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            return super.transportToEcho();
        }
    }

    /** Leaves a thread behind for each connection, under a name of its own. */
    static final class LeavesAThreadOfAnyName extends Suite {
        @Override
        protected Transport transportToEcho() throws IOException {
            LeavesAThread.start("worker-1");
            return super.transportToEcho();
        }
    }

    /** Leaves a thread behind for each connection. */
    static final class LeavesAThread extends Suite {
        @Override
        protected Transport transportToEcho() throws IOException {
            start("mcp-bridge-forgotten");
            return super.transportToEcho();
        }

        private static void start(String name) {
            var thread = new Thread(LeavesAThread::waitForever, name);
            thread.setDaemon(true);
            thread.start();
        }

        private static void waitForever() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
