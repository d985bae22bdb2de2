package io.mcpbridge.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.Transport.Receiver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServerLineConnectionTest {
    private static final int MAX_MESSAGES = 2;

    private final NarrowSink sink = NarrowSink.closed();
    private final RecordingReceiver receiver = new RecordingReceiver();
    private final ServerLineConnection channel = new ServerLineConnection(sink, receiver, new Owner());

    @Test
    void queuedMessagesAreWrittenTogetherWhenTheSocketIsWritable() {
        var first = send("first");
        var second = send("second");
        var third = send("third");
        assertThat(receiver.events).containsExactly("written first");

        sink.allow(Long.MAX_VALUE);
        channel.writable();

        assertThat(sink.lines()).containsExactly(json(first), json(second), json(third));
        assertThat(receiver.events).containsExactly("written first", "written second", "written third");
    }

    @Test
    void messagesOfOneTurnAreWrittenTogetherAtItsEnd() throws InterruptedException {
        sink.allow(Long.MAX_VALUE);
        var sent = new ArrayList<Outgoing>();
        var atEnd = new ArrayList<Runnable>();
        var loop = new Thread(() -> {
            EventTurn.declare(atEnd::add);
            for (int i = 0; i <= MAX_MESSAGES; i++) {
                sent.add(send("message"));
            }
        });
        loop.start();
        loop.join();
        assertThat(sink.lines()).isEmpty();

        atEnd.forEach(Runnable::run);

        assertThat(sink.lines())
                .containsExactlyElementsOf(
                        sent.stream().map(ServerLineConnectionTest::json).toList());
        assertThat(sink.writes).isOne();
    }

    @Test
    void messageBeforeTheEndOfTheConnectionIsWritten() throws InterruptedException {
        sink.allow(Long.MAX_VALUE);
        var loop = new Thread(() -> {
            EventTurn.declare(task -> {});
            send("last");
            channel.endTurn();
            channel.finish();
        });
        loop.start();
        loop.join();

        assertThat(sink.lines()).hasSize(1);
    }

    @Test
    void messageOfAnotherThreadDoesNotWaitForTheTurn() throws InterruptedException {
        sink.allow(Long.MAX_VALUE);
        var loop = new Thread(() -> {
            EventTurn.declare(task -> {});
            send("of the loop");
        });
        loop.start();
        loop.join();
        assertThat(sink.lines()).isEmpty();

        send("of a program");

        assertThat(sink.lines()).hasSize(2);
    }

    @Test
    void connectionThatTheServerEndedWritesNoMoreOfTheTurn() throws InterruptedException {
        sink.allow(Long.MAX_VALUE);
        var atEnd = new ArrayList<Runnable>();
        var loop = new Thread(() -> {
            EventTurn.declare(atEnd::add);
            send("too late");
        });
        loop.start();
        loop.join();

        channel.finish();
        atEnd.forEach(Runnable::run);

        assertThat(sink.lines()).isEmpty();
        assertThat(receiver.events).isEmpty();
    }

    @Test
    void manyMessagesOfOneTurnAreWrittenBeforeItsEnd() throws InterruptedException {
        sink.allow(Long.MAX_VALUE);
        var loop = new Thread(() -> {
            EventTurn.declare(task -> {});
            for (int i = 0; i < 100; i++) {
                send("x".repeat(100));
            }
        });
        loop.start();
        loop.join();

        assertThat(sink.lines()).hasSizeGreaterThan(50);
    }

    @Test
    void messageOverTheLimitFails() {
        send("written");
        send("waits");
        send("waits");

        send("one too many");

        assertThat(receiver.events).containsExactly("written written", "failed one too many: 2 wait");
    }

    @Test
    void queuedMessageIsRemovedAndAWrittenOneIsCancelled() {
        var written = send("written");
        var waits = send("waits");

        assertThat(channel.abandon(waits, "late")).isTrue();
        assertThat(channel.abandon(written, "late")).isFalse();
        sink.allow(Long.MAX_VALUE);
        channel.writable();

        assertThat(sink.lines())
                .containsExactly(
                        json(written),
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                                + "\"params\":{\"requestId\":1,\"reason\":\"late\"}}");
    }

    @Test
    void closeWithinTheReceiverIsReportedAfterItReturns() {
        receiver.onMessage = () -> {
            channel.close(Closed.byUs());
            receiver.events.add("returns");
        };

        channel.message(Notification.of("one"));
        channel.message(Notification.of("two"));

        assertThat(receiver.events).containsExactly("message one", "returns", "closed");
    }

    @Test
    void nothingIsReportedAfterTheEnd() {
        channel.close(Closed.byUs());

        channel.close(Closed.byUs());
        channel.message(Notification.of("late"));
        send("late");

        assertThat(receiver.events).containsExactly("closed");
        assertThat(channel.finish()).isFalse();
    }

    private Outgoing send(String method) {
        var request = Request.of(MessageId.of(1), method);
        var deadline = Deadline.after(Duration.ofSeconds(1), new ManualClock());
        var out = Outgoing.of(request, ProtocolVersion.LATEST_LEGACY, deadline);
        channel.send(out);
        return out;
    }

    private static String json(Outgoing out) {
        return out.message().json();
    }

    private static final class Owner implements ServerLineConnection.Owner {

        @Override
        public Optional<String> rejection(int messages, long bytes, int more) {
            return messages < MAX_MESSAGES ? Optional.empty() : Optional.of(messages + " wait");
        }

        @Override
        public void broken(IOException why) {
            throw new AssertionError(why);
        }
    }

    private static final class RecordingReceiver implements Receiver {
        private final List<String> events = new ArrayList<>();
        private Runnable onMessage = () -> {};

        @Override
        public void writing(Outgoing out) {
            events.add("written " + name(out.message()));
        }

        @Override
        public void message(Message message, Optional<Outgoing> stream) {
            events.add("message " + name(message));
            onMessage.run();
        }

        @Override
        public void failed(Outgoing out, RequestFailure why) {
            events.add(
                    "failed %s: %s".formatted(name(out.message()), why.failure().message()));
        }

        @Override
        public void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
            events.add("unreadable");
        }

        @Override
        public void closed(Closed why) {
            events.add("closed");
        }

        private static String name(Message message) {
            return message instanceof Request request ? request.method() : ((Notification) message).method();
        }
    }
}
