package io.mcpbridge.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.testkit.EchoScript;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingReceiver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The half of {@link TransportContract} that is about what messages look like when they arrive. */
abstract class TransportMessages {
    private static final int MIB = 1 << 20;

    abstract Transport echoPeer() throws Exception;

    abstract ProtocolVersion revision();

    abstract Duration patience();

    @Test
    void requestIsAnsweredWithWhatThePeerSays() throws Exception {
        try (var probe = open()) {
            var out = probe.send(EchoScript.ECHO, "hello");

            assertThat(TransportProbe.result(probe.answer(out))).isEqualTo(TransportProbe.params(out));
        }
    }

    @Test
    void requestOfAWaitingCallerIsAnswered() throws Exception {
        try (var probe = open()) {
            var out = probe.request(EchoScript.ECHO, "hello").withCallerWaiting();

            probe.transport.send(out);

            assertThat(TransportProbe.result(probe.answer(out))).isEqualTo(TransportProbe.params(out));
        }
    }

    @Test
    void notificationIsTakenWithoutAnAnswer() throws Exception {
        try (var probe = open()) {
            probe.transport.send(probe.outgoing(Notification.of(Methods.INITIALIZED)));

            probe.call(EchoScript.ECHO, "after");

            assertThat(probe.receiver.messages()).hasSize(1);
        }
    }

    @Test
    void messagesArriveInTheOrderSentByThePeer() throws Exception {
        try (var probe = open()) {
            var out = probe.send(EchoScript.FLOOD, "");
            probe.answer(out);

            var messages = probe.receiver.messages();
            var numbers = messages.stream()
                    .filter(Notification.class::isInstance)
                    .map(note -> note.raw(Part.PARAMS).orElse("").replaceAll("\\D", ""))
                    .toList();
            assertThat(numbers).isEqualTo(count(EchoScript.FLOOD_COUNT));
            assertThat(messages.get(messages.size() - 1)).isInstanceOf(Response.class);
        }
    }

    @Test
    void messagesNameTheirRequestWhereEachHasItsOwnStream() throws Exception {
        try (var probe = open()) {
            var out = probe.send(EchoScript.FLOOD, "");
            probe.answer(out);

            var streams = probe.receiver.messages().stream()
                    .map(probe.receiver::streamOf)
                    .distinct()
                    .toList();
            assertThat(streams)
                    .isEqualTo(List.of(isShared(probe) ? java.util.Optional.empty() : java.util.Optional.of(out)));
        }
    }

    @Test
    void messagesOfASharedStreamComeOneAtATime() throws Exception {
        try (var probe = open()) {
            assumeTrue(isShared(probe), "each request has a stream of its own");

            probe.answer(probe.send(EchoScript.FLOOD, ""));

            assertThat(probe.receiver.overlaps()).isZero();
        }
    }

    @Test
    void messageOfOneMebibyteArrivesWhole() throws Exception {
        try (var probe = open()) {
            assertThat(answerOfLength(probe, MIB).length()).isEqualTo(MIB);
        }
    }

    @Test
    void messageOneByteBelowTheLimitArrivesWhole() throws Exception {
        try (var probe = open()) {
            var length = Limits.SERVER.maxBytes() - 1;

            assertThat(answerOfLength(probe, length).length()).isEqualTo(length);
        }
    }

    @Test
    void messageOneByteOverTheLimitEndsTheRequest() throws Exception {
        try (var probe = open()) {
            var out = requestAnsweredWith(probe, Limits.SERVER.maxBytes() + 1);

            probe.transport.send(out);

            probe.awaitEndWithoutAnswer(out);
            assertThat(probe.receiver.messages()).isEmpty();
        }
    }

    @Test
    void textSplitWithinItsCharactersArrivesWhole() throws Exception {
        try (var probe = open()) {
            var out = probe.send(EchoScript.PIECES, "Grüße 🚀 漢字 ".repeat(20));

            assertThat(TransportProbe.result(probe.answer(out))).isEqualTo(TransportProbe.params(out));
        }
    }

    @Test
    void thousandConcurrentSendsKeepTheirFramesWhole() throws Exception {
        try (var probe = open()) {
            var sent = sendFromThreads(probe, 8, 125);

            assertThat(sent).hasSize(1_000);
            for (var out : sent) {
                assertThat(TransportProbe.result(probe.answer(out))).isEqualTo(TransportProbe.params(out));
            }
        }
    }

    final TransportProbe open() throws Exception {
        return new TransportProbe(echoPeer(), revision(), patience()).open();
    }

    static boolean isShared(TransportProbe probe) {
        return probe.transport.traits().shape() == TransportTraits.Shape.SHARED_STREAM;
    }

    private static Response answerOfLength(TransportProbe probe, int length) {
        var out = requestAnsweredWith(probe, length);
        probe.transport.send(out);
        return probe.answer(out);
    }

    private static Outgoing requestAnsweredWith(TransportProbe probe, int length) {
        var empty = probe.request(EchoScript.ECHO, "");
        var frame = Response.result(TransportProbe.id(empty), TransportProbe.params(empty))
                .length();
        return probe.request(EchoScript.ECHO, "x".repeat(length - frame));
    }

    private static List<Outgoing> sendFromThreads(TransportProbe probe, int threads, int each) throws Exception {
        var sent = new ConcurrentLinkedQueue<Outgoing>();
        var senders = new ArrayList<Thread>();
        for (int i = 0; i < threads; i++) {
            var sender = new Thread(() -> {
                for (int j = 0; j < each; j++) {
                    sent.add(probe.send(
                            EchoScript.ECHO, "%s-%d-%s".formatted(Thread.currentThread(), j, "y".repeat(j))));
                }
            });
            senders.add(sender);
            sender.start();
        }
        for (var sender : senders) {
            sender.join();
        }
        return List.copyOf(sent);
    }

    private static List<String> count(int numbers) {
        return java.util.stream.IntStream.range(0, numbers)
                .mapToObj(String::valueOf)
                .toList();
    }

    /** A transport under test with a receiver that keeps what it hears; mints ids. Any thread may send. */
    static final class TransportProbe implements AutoCloseable {
        private static final Duration PATIENCE = Duration.ofSeconds(30);

        final Transport transport;
        final RecordingReceiver receiver = new RecordingReceiver();
        private final SystemTimekeeper timekeeper = new SystemTimekeeper();
        private final ProtocolVersion version;
        private final Duration patience;
        private final AtomicLong ids = new AtomicLong();

        /** Waits with that much patience for what the peer shall have seen. */
        TransportProbe(Transport transport, ProtocolVersion version, Duration patience) {
            this.transport = transport;
            this.version = version;
            this.patience = patience;
        }

        TransportProbe open() throws InterruptedException {
            transport.open(receiver, deadline());
            return this;
        }

        Outgoing send(String method, String text) {
            var out = request(method, text);
            transport.send(out);
            return out;
        }

        /** A request whose only parameter is {@code text}, not sent yet. */
        Outgoing request(String method, String text) {
            var params = "{\"text\":" + JsonStrings.quote(text) + "}";
            return outgoing(Request.of(MessageId.of(ids.incrementAndGet()), method, params));
        }

        Outgoing outgoing(Message message) {
            return Outgoing.of(message, version, deadline());
        }

        Response call(String method, String text) {
            return answer(send(method, text));
        }

        Response answer(Outgoing out) {
            return receiver.awaitResponse(id(out));
        }

        static MessageId id(Outgoing out) {
            return ((Request) out.message()).id();
        }

        static String params(Outgoing out) {
            return out.message().raw(Part.PARAMS).orElse("");
        }

        static String result(Response response) {
            return response.raw(Part.RESULT).orElse("");
        }

        /** Waits until the request has ended without an answer. */
        void awaitEndWithoutAnswer(Outgoing out) {
            Eventually.holds(
                    () -> "'failed' or 'closed' for " + out.message() + "; told so far: " + receiver.signals(),
                    () -> receiver.failure(out).isPresent()
                            || !receiver.closings().isEmpty());
        }

        /** Asks the peer again and again until what it has seen is as {@code expected}. */
        String awaitSeen(String words, Predicate<String> expected) {
            var last = new String[] {""};
            Eventually.holds(patience, () -> words + "; the peer has seen " + last[0], () -> {
                last[0] = result(call(EchoScript.SEEN, ""));
                return expected.test(last[0]);
            });
            return last[0];
        }

        private Deadline deadline() {
            return Deadline.after(PATIENCE, timekeeper);
        }

        @Override
        public void close() {
            transport.close();
            timekeeper.close();
        }
    }
}
