package io.mcpbridge.testkit.broken;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.testkit.EchoScript;
import io.mcpbridge.testkit.InMemoryTransport;
import io.mcpbridge.testkit.RecordingReceiver;
import io.mcpbridge.testkit.contract.TransportContract;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transports with one broken promise each, under their contract. The build does not run them by themselves. */
final class BrokenContracts {

    private BrokenContracts() {}

    /** What all have in common: an unreachable peer is reported correctly, and waits for what never happens are short. */
    @ExtendWith(OnlyWhenAsked.class)
    abstract static class Suite extends TransportContract {
        @Override
        protected Transport unreachableTransport() {
            return InMemoryTransport.unreachable();
        }

        @Override
        protected Duration timeout() {
            return Duration.ofSeconds(1);
        }
    }

    /** Never says that a message was handed over, so that calls would be repeated that may have run. */
    static final class ForgetsWritten extends Suite {
        @Override
        protected Transport transportToEcho() {
            return new BrokenTransport() {
                @Override
                void written(Receiver receiver, Outgoing out) {}
            };
        }
    }

    /** Says that a message was handed over as soon as it is sent, and again when it is. */
    static final class WrittenTooSoon extends Suite {
        @Override
        protected Transport transportToEcho() {
            return new BrokenTransport() {
                private volatile Receiver told = new RecordingReceiver();

                @Override
                public void open(Receiver receiver, Deadline deadline) throws InterruptedException {
                    told = receiver;
                    super.open(receiver, deadline);
                }

                @Override
                public void send(Outgoing out) {
                    told.written(out);
                    super.send(out);
                }
            };
        }
    }

    /** Tells the end of the connection twice. */
    static final class ClosesTwice extends Suite {
        @Override
        protected Transport transportToEcho() {
            return new BrokenTransport() {
                @Override
                void closed(Receiver receiver, Closed why) {
                    receiver.closed(why);
                    receiver.closed(why);
                }
            };
        }
    }

    /** Loses every tenth notification. */
    static final class LosesMessages extends Suite {
        @Override
        protected Transport transportToEcho() {
            return new BrokenTransport() {
                private int count;

                @Override
                void message(Receiver receiver, Message message) {
                    if (!(message instanceof Notification) || ++count % 10 != 0) {
                        super.message(receiver, message);
                    }
                }
            };
        }
    }

    /** Takes characters for bytes, as a reader does that decodes each piece by itself. */
    static final class GarblesText extends Suite {
        @Override
        protected Transport transportToEcho() {
            return new BrokenTransport() {
                @Override
                void message(Receiver receiver, Message message) {
                    super.message(receiver, garbled(message));
                }
            };
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
        protected Transport transportToEcho() {
            return new BrokenTransport() {
                @Override
                public boolean abandon(Outgoing out, String reason) {
                    return false;
                }
            };
        }
    }

    /** Delivers each message twice. */
    static final class DeliversTwice extends Suite {
        @Override
        protected Transport transportToEcho() {
            return new BrokenTransport() {
                @Override
                void message(Receiver receiver, Message message) {
                    super.message(receiver, message);
                    super.message(receiver, message);
                }
            };
        }
    }

    /** Does not report the end of the connection. */
    static final class NeverReportsTheEnd extends Suite {
        @Override
        protected Transport transportToEcho() {
            return new BrokenTransport() {
                @Override
                void closed(Receiver receiver, Closed why) {}
            };
        }
    }

    /** Throws at a message after its end. */
    static final class ThrowsAfterClose extends Suite {
        @Override
        protected Transport transportToEcho() {
            return new BrokenTransport() {
                private volatile boolean isClosed;

                @Override
                public void send(Outgoing out) {
                    if (isClosed) {
                        throw new IllegalStateException("closed");
                    }
                    super.send(out);
                }

                @Override
                public void close() {
                    isClosed = true;
                    super.close();
                }
            };
        }
    }

    /** Leaves a socket open for each connection. */
    static final class LeavesASocket extends Suite {
        private final List<ServerSocket> sockets = new ArrayList<>();

        @Override
        protected Transport transportToEcho() throws IOException {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            return InMemoryTransport.to(new EchoScript());
        }
    }

    /** Leaves a thread behind for each connection, under a name of its own. */
    static final class LeavesAThreadOfAnyName extends Suite {
        @Override
        protected Transport transportToEcho() {
            LeavesAThread.start("worker-1");
            return InMemoryTransport.to(new EchoScript());
        }
    }

    /** Leaves a thread behind for each connection. */
    static final class LeavesAThread extends Suite {
        @Override
        protected Transport transportToEcho() {
            start("mcp-bridge-forgotten");
            return InMemoryTransport.to(new EchoScript());
        }

        private static void start(String name) {
            var thread = new Thread(LeavesAThread::waitForEver, name);
            thread.setDaemon(true);
            thread.start();
        }

        private static void waitForEver() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
