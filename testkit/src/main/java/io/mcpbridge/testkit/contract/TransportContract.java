package io.mcpbridge.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.testkit.EchoScript;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.RecordingReceiver.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Contract tests for every {@link Transport}. A transport module extends this class and supplies the peers.
 *
 * <p>The peer is an {@link EchoScript}: in this process behind a real socket, or
 * {@link io.mcpbridge.testkit.StreamPeer#main} in a child.
 */
@Contract
public abstract class TransportContract {
    private static final int MIB = 1 << 20;

    /** Matches request 1 among the received ones. If each has a stream of its own, they may arrive in any order. */
    private static final Pattern FIRST_REQUEST_CAME = Pattern.compile("\"came\":\\[(\\d+,)*1[,\\]]");

    /** Creates a transport, not open yet, to a peer of its own that runs {@link EchoScript}. */
    protected abstract Transport transportToEcho() throws Exception;

    /** Creates a transport, not open yet, to an address where no server listens. */
    protected abstract Transport unreachableTransport() throws Exception;

    /** The revision of the sent messages, which decides the form of a cancellation on the wire. */
    protected ProtocolVersion version() {
        return ProtocolVersion.LATEST_LEGACY;
    }

    /** The time-out for effects at the peer and for the end of the connection. */
    protected Duration timeout() {
        return Eventually.TIMEOUT;
    }

    @Test
    void requestReceivesTheAnswerOfThePeer() throws Exception {
        try (var probe = open()) {
            var out = probe.send(EchoScript.ECHO, "hello");

            probe.assertEchoed(out);
        }
    }

    @Test
    void requestOfAWaitingCallerIsAnswered() throws Exception {
        try (var probe = open()) {
            var out = probe.request(EchoScript.ECHO, "hello").withCallerWaiting();

            probe.transport.send(out);

            probe.assertEchoed(out);
        }
    }

    @Test
    void notificationHasNoAnswer() throws Exception {
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
                    .map(note -> note.raw(MessageField.PARAMS).orElse("").replaceAll("\\D", ""))
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
            assertThat(streams).isEqualTo(List.of(probe.isShared() ? Optional.empty() : Optional.of(out)));
        }
    }

    @Test
    void messagesOfASharedStreamComeOneAtATime() throws Exception {
        try (var probe = open()) {
            assumeTrue(probe.isShared(), "each request has a stream of its own");

            probe.answer(probe.send(EchoScript.FLOOD, ""));

            assertThat(probe.receiver.overlaps()).isZero();
        }
    }

    @Test
    void messageOfOneMebibyteArrivesWhole() throws Exception {
        try (var probe = open()) {
            assertThat(probe.answerOfLength(MIB).length()).isEqualTo(MIB);
        }
    }

    @Test
    void messageOneByteBelowTheLimitArrivesWhole() throws Exception {
        try (var probe = open()) {
            var length = Limits.SERVER.maxBytes() - 1;

            assertThat(probe.answerOfLength(length).length()).isEqualTo(length);
        }
    }

    @Test
    void messageOneByteOverTheLimitEndsTheRequest() throws Exception {
        try (var probe = open()) {
            var out = probe.requestAnsweredWith(Limits.SERVER.maxBytes() + 1);

            probe.transport.send(out);

            probe.awaitEndWithoutAnswer(out);
            assertThat(probe.receiver.messages()).isEmpty();
        }
    }

    @Test
    void textSplitWithinItsCharactersArrivesWhole() throws Exception {
        try (var probe = open()) {
            var out = probe.send(EchoScript.PIECES, "Grüße 🚀 漢字 ".repeat(20));

            probe.assertEchoed(out);
        }
    }

    @Test
    void thousandConcurrentSendsKeepTheirFramesWhole() throws Exception {
        try (var probe = open()) {
            var sent = probe.sendFromThreads(8, 125);

            assertThat(sent).hasSize(1_000);
            for (var out : sent) {
                probe.assertEchoed(out);
            }
        }
    }

    @Test
    void unreachablePeerIsReportedAndNothingCountsAsSent() throws Exception {
        try (var probe = new TransportFixture(unreachableTransport(), version(), timeout())) {
            var delivery = deliveryOfAFailingCall(probe);

            assertThat(delivery).isEqualTo(Delivery.NOT_SENT);
            assertThat(probe.receiver.signals()).noneMatch(Signal.Written.class::isInstance);
        }
    }

    @Test
    void writtenIsReportedBeforeTheAnswer() throws Exception {
        try (var probe = open()) {
            var out = probe.send(EchoScript.ECHO, "hello");
            probe.answer(out);

            assertThat(probe.receiver.signals().get(0)).isEqualTo(new Signal.Written(out));
        }
    }

    @Test
    void requestCountsAsSentWhenThePeerDies() throws Exception {
        try (var probe = open()) {
            var out = probe.send(EchoScript.DIE, "");
            probe.awaitEndWithoutAnswer(out);

            assertThat(probe.receiver.isWritten(out)).isTrue();
            assertThat(probe.receiver.failure(out).map(why -> why.failure().delivery()))
                    .satisfiesAnyOf(
                            none -> assertThat(none).isEmpty(),
                            some -> assertThat(some).contains(Delivery.UNKNOWN));
        }
    }

    @Test
    void deathOfThePeerEndsASharedConnection() throws Exception {
        try (var probe = open()) {
            assumeTrue(probe.isShared(), "each request has a stream of its own");
            probe.send(EchoScript.HANG, "");

            probe.send(EchoScript.DIE, "");

            probe.receiver.awaitClosed();
        }
    }

    @Test
    void endOfTheConnectionIsReportedOnce() throws Exception {
        var probe = open();
        var out = probe.send(EchoScript.DIE, "");
        probe.awaitEndWithoutAnswer(out);

        probe.close();
        probe.close();

        probe.receiver.awaitClosed();
        assertThat(probe.receiver.closings()).hasSize(1);
    }

    @Test
    void abandonedBeforeItIsWrittenNeverReachesThePeer() throws Exception {
        try (var probe = open()) {
            assumeTrue(probe.isShared(), "nothing waits behind another request");
            var stalling = probe.request(EchoScript.STALL, "");
            var large = probe.request(EchoScript.ECHO, "x".repeat(4 << 20));
            var small = probe.request(EchoScript.ECHO, "small");
            // Created beforehand, so that nothing slow happens while the peer stalls.
            for (var out : List.of(stalling, large, small)) {
                probe.transport.send(out);
            }

            var withdrawn = probe.transport.abandon(small, "no longer wanted");

            probe.answer(large);
            var seen = TransportFixture.result(probe.call(EchoScript.SEEN, ""));
            assertThat(withdrawn).isTrue();
            assertThat(probe.receiver.isWritten(small)).isFalse();
            assertThat(seen).doesNotContain("[1,2,3").doesNotContain(",3,");
        }
    }

    @Test
    void abandonedAfterItIsWrittenIsCancelledOnTheWire() throws Exception {
        try (var probe = open()) {
            var hanging = probe.send(EchoScript.HANG, "");
            probe.awaitSeen(
                    "the hanging request",
                    seen -> FIRST_REQUEST_CAME.matcher(seen).find());

            var withdrawn = probe.transport.abandon(hanging, "no longer wanted");

            probe.awaitSeen("the cancellation", seen -> seen.contains("\"cancelled\":[1]"));
            assertThat(withdrawn).isFalse();
            assertThat(probe.receiver.failure(hanging)).isEmpty();
        }
    }

    @Test
    void abandonAfterTheAnswerIsHarmless() throws Exception {
        try (var probe = open()) {
            var out = probe.send(EchoScript.ECHO, "quick");
            probe.answer(out);

            var withdrawn = probe.transport.abandon(out, "too late");

            assertThat(withdrawn).isFalse();
            assertThat(TransportFixture.result(probe.call(EchoScript.ECHO, "next")))
                    .contains("next");
        }
    }

    @Test
    void closeEndsRequestsInFlight() throws Exception {
        var probe = open();
        var hanging = probe.send(EchoScript.HANG, "");
        probe.receiver.awaitWritten(hanging);

        probe.close();

        probe.awaitEndWithoutAnswer(hanging);
    }

    @Test
    void sendAfterCloseEndsWithoutBeingSent() throws Exception {
        var probe = open();
        probe.close();

        var out = probe.send(EchoScript.ECHO, "late");

        probe.awaitEndWithoutAnswer(out);
        assertThat(probe.receiver.isWritten(out)).isFalse();
        assertThat(probe.receiver.failure(out)).isEmpty();
    }

    @Test
    void requestAfterTheEndOfASharedConnectionHasNoOtherEnd() throws Exception {
        try (var probe = open()) {
            assumeTrue(probe.isShared(), "each request has a stream of its own");
            probe.send(EchoScript.DIE, "");
            probe.receiver.awaitClosed();

            var late = probe.send(EchoScript.ECHO, "late");

            assertThat(probe.receiver.failure(late)).isEmpty();
            assertThat(probe.receiver.closings()).hasSize(1);
        }
    }

    @Test
    void closingTwiceIsHarmless() throws Exception {
        var probe = open();

        assertThatCode(() -> {
                    probe.transport.close();
                    probe.transport.close();
                })
                .doesNotThrowAnyException();
        probe.close();
    }

    @Test
    void closingBeforeOpenIsHarmless() throws Exception {
        var transport = transportToEcho();

        assertThatCode(transport::close).doesNotThrowAnyException();
    }

    @Test
    void nothingIsLeftBehind() throws Exception {
        var before = LeakCheck.now();

        try (var probe = open()) {
            probe.call(EchoScript.ECHO, "hello");
            probe.send(EchoScript.HANG, "");
        }

        before.assertNothingLeft(timeout());
    }

    @Test
    void traitsNameTheNetworkAndTheAddress() throws Exception {
        try (var transport = transportToEcho()) {
            assertThat(transport.traits().network()).isIn("pipe", "tcp", "unix");
            assertThat(transport.traits().address()).isNotBlank();
        }
    }

    private TransportFixture open() throws Exception {
        return new TransportFixture(transportToEcho(), version(), timeout()).open();
    }

    private static List<String> count(int numbers) {
        return IntStream.range(0, numbers).mapToObj(String::valueOf).toList();
    }

    /** Returns the delivery of a failing call. The open fails, or the first call if the transport connects later. */
    private static Delivery deliveryOfAFailingCall(TransportFixture probe) throws InterruptedException {
        try {
            probe.open();
        } catch (BridgeException unreachable) {
            return unreachable.delivery();
        }
        var out = probe.send(EchoScript.ECHO, "nothing");
        probe.awaitEndWithoutAnswer(out);
        return probe.receiver
                .failure(out)
                .map(RequestFailure::failure)
                .orElseGet(() -> probe.receiver.awaitClosed().toFailure())
                .delivery();
    }
}
