package io.mcpbridge.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
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
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** A transport under test with a recording receiver. Also creates request ids. Any thread may send. */
final class TransportFixture implements AutoCloseable {
    final Transport transport;
    final RecordingReceiver receiver = new RecordingReceiver();
    private final SystemTimekeeper timekeeper = new SystemTimekeeper();
    private final ProtocolVersion version;
    private final Duration timeout;
    private final AtomicLong ids = new AtomicLong();

    /** @param timeout the time-out for effects at the peer */
    TransportFixture(Transport transport, ProtocolVersion version, Duration timeout) {
        this.transport = transport;
        this.version = version;
        this.timeout = timeout;
    }

    TransportFixture open() throws InterruptedException {
        transport.open(receiver, deadline());
        return this;
    }

    Outgoing send(String method, String text) {
        var out = request(method, text);
        transport.send(out);
        return out;
    }

    /** Creates a request whose only parameter is {@code text}; does not send it. */
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

    /** Waits for the response, which must have the parameters of the request. */
    void assertEchoed(Outgoing out) {
        assertThat(result(answer(out))).isEqualTo(params(out));
    }

    private static MessageId id(Outgoing out) {
        return ((Request) out.message()).id();
    }

    private static String params(Outgoing out) {
        return out.message().raw(MessageField.PARAMS).orElse("");
    }

    static String result(Response response) {
        return response.raw(MessageField.RESULT).orElse("");
    }

    boolean isShared() {
        return transport.traits().shape() == TransportTraits.Shape.SHARED_STREAM;
    }

    /** Sends a request whose response has this many bytes, and waits for the response. */
    Response answerOfLength(int length) {
        var out = requestAnsweredWith(length);
        transport.send(out);
        return answer(out);
    }

    /** Creates a request whose response has this many bytes; does not send it. */
    Outgoing requestAnsweredWith(int length) {
        var empty = request(EchoScript.ECHO, "");
        var frame = Response.result(id(empty), params(empty)).length();
        return request(EchoScript.ECHO, "x".repeat(length - frame));
    }

    /** Sends {@code each} requests from each of {@code threads} concurrent threads. */
    List<Outgoing> sendFromThreads(int threads, int each) throws Exception {
        var sent = new ConcurrentLinkedQueue<Outgoing>();
        ParallelThreads.run(threads, () -> {
            for (int i = 0; i < each; i++) {
                sent.add(send(EchoScript.ECHO, "%s-%d-%s".formatted(Thread.currentThread(), i, "y".repeat(i))));
            }
        });
        return List.copyOf(sent);
    }

    /** Waits until the request has failed, or the connection has ended. */
    void awaitEndWithoutAnswer(Outgoing out) {
        Eventually.holds(
                () -> "'failed' or 'closed' for " + out.message() + "; received so far: " + receiver.signals(),
                () -> receiver.failure(out).isPresent() || !receiver.closings().isEmpty());
    }

    /** Polls the peer until the messages that it has seen satisfy {@code expected}. */
    String awaitSeen(String words, Predicate<String> expected) {
        var last = new String[] {""};
        Eventually.holds(timeout, () -> words + "; the peer has seen " + last[0], () -> {
            last[0] = result(call(EchoScript.SEEN, ""));
            return expected.test(last[0]);
        });
        return last[0];
    }

    private Deadline deadline() {
        return Deadline.after(Eventually.TIMEOUT, timekeeper);
    }

    @Override
    public void close() {
        transport.close();
        timekeeper.close();
    }
}
