package io.mcpbridge.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.BridgeLimits;
import io.mcpbridge.spi.ByteBudget;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Exchange.Offer;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.TransportTraits;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientLineConnectionTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final Peer PEER =
            new Peer(new Principal("ann", "peer-credentials"), TransportTraits.Shape.SHARED_STREAM, "unix", "ann#1");

    private final ManualClock clock = new ManualClock();
    private final NarrowSink sink = new NarrowSink();
    private final RecordingIntake intake = new RecordingIntake();
    private final ByteBudget budget = ByteBudget.of(100_000);
    private ClientLineConnection connection = connection(ClientStreamLimits.DEFAULTS);

    @Test
    void connectionStartsWithTheListenExchange() {
        connection.start(intake);

        assertThat(intake.last().kind()).isEqualTo(Exchange.Kind.LISTEN);
        assertThat(intake.last().principal().name()).isEqualTo("ann");
        assertThat(intake.last().offer(Notification.of(Methods.TOOLS_LIST_CHANGED)))
                .isEqualTo(Offer.SENT);
        assertThat(sink.lines()).hasSize(1);
    }

    @Test
    void rejectedPeerIsDisconnectedAtOnce() {
        var started = connection.start(peer -> Optional.empty());

        assertThat(started).isFalse();
        assertThat(sink.closed).isEqualTo(1);
    }

    @Test
    void linesBecomeExchangesInOrderHoweverTheBytesAreSplit() {
        connection.start(intake);

        for (byte b : (PING + "\r\n\n" + PING.replace("1", "2") + "\n").getBytes(UTF_8)) {
            connection.received(ByteBuffer.wrap(new byte[] {b}));
        }

        assertThat(intake.events)
                .containsExactly("listen", "returned", PING, "returned", PING.replace("1", "2"), "returned");
        assertThat(clock.pending()).isZero();
    }

    @Test
    void messagesOfABatchAreDeliveredOneByOneWhereBatchesAreAccepted() {
        intake.takesBatches = true;
        connection.start(intake);

        feed("[" + PING + "," + PING.replace("1", "2") + "]\n");

        assertThat(intake.events)
                .containsExactly("listen", "returned", PING, "returned", PING.replace("1", "2"), "returned");
    }

    @Test
    void batchIsRejectedAsAWholeWhereBatchesAreNotAccepted() {
        connection.start(intake);

        feed("[" + PING + "," + PING.replace("1", "2") + "]\n" + PING + "\n");

        assertThat(intake.events).containsExactly("listen", "returned", PING, "returned");
        assertThat(sink.lines()).hasSize(1);
        assertThat(sink.lines().get(0)).contains("-32600").doesNotContain("\"id\"");
    }

    @Test
    void batchWithOneMessageTooManyIsRejectedAsAWhole() {
        intake.takesBatches = true;
        connection.start(intake);

        feed("[" + (PING + ",").repeat(Message.MAX_BATCH) + PING + "]\n");

        assertThat(intake.exchanges).hasSize(1);
        assertThat(sink.lines()).singleElement().asString().contains("-32600");
    }

    @Test
    void answerIsWrittenAndLaterEventsAreDropped() {
        connection.start(intake);
        feed(PING + "\n");
        var exchange = intake.last();

        exchange.end(Ending.answer(Response.result(MessageId.of(1), "{}")));
        exchange.end(Ending.answer(Response.result(MessageId.of(1), "{}")));

        assertThat(sink.lines()).hasSize(1);
        assertThat(exchange.offer(Notification.of(Methods.PROGRESS, "{}"))).isEqualTo(Offer.FULL);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "not JSON                | {\"jsonrpc\":               | -32700 |",
                "two messages (A10)      | {\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"a\"} {} | -32600 |",
                "no method               | {\"jsonrpc\":\"2.0\",\"id\":5} | -32600 | 5",
                "key twice               | {\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"a\",\"method\":\"b\"} | -32600 |"
                        + " 5",
            })
    void malformedLineIsAnsweredAndTheNextOneWorks(String name, String line, int code, String id) {
        connection.start(intake);

        feed(line + "\n" + PING + "\n");

        assertThat(sink.lines()).singleElement().asString().contains("\"code\":" + code, "\"origin\":\"mcp-bridge\"");
        if (id != null) {
            assertThat(sink.text()).contains("\"id\":" + id);
        }
        assertThat(sink.text()).doesNotContain("null");
        assertThat(intake.events).contains(PING);
        assertThat(sink.closed).isZero();
    }

    @Test
    void lineAtTheLimitIsReadAndOneByteMoreEndsTheConnectionWithAnError() {
        connection = connection(ClientStreamLimits.DEFAULTS.withLimits(Limits.CLIENT.withMaxBytes(PING.length())));
        connection.start(intake);

        feed(PING + "\n");
        feed(PING + " \n" + PING + "\n");

        assertThat(intake.exchanges).hasSize(2);
        assertThat(sink.lines()).singleElement().asString().contains("-32600");
        assertThat(sink.closed).isEqualTo(1);
        assertThat(intake.events).endsWith("closed");
    }

    @Test
    void slowLineEndsTheConnectionWithAnError() {
        connection.start(intake);
        feed(PING + "\n{\"json");
        feed("rpc");

        clock.ring();

        assertThat(sink.lines()).singleElement().asString().contains("30000 ms");
        assertThat(sink.closed).isEqualTo(1);
    }

    @ParameterizedTest(name = "where the client {0}")
    @ValueSource(strings = {"ends its half", "is lost"})
    @DisplayName("A13: an incomplete last line is reported as truncated")
    void incompleteLastLineIsReported(String end) {
        connection.start(intake);

        feed(PING + "\n" + PING);
        if (end.equals("is lost")) {
            connection.lost("it hung up");
        } else {
            connection.halfClosed();
        }
        connection.lost("it hung up");

        assertThat(intake.notes)
                .containsExactly(
                        new AuditNote("line-truncated", Map.of("peer", "ann#1", "principal", "ann", "count", "1")));
    }

    @Test
    void streamThatEndsBetweenLinesIsNotReported() {
        connection.start(intake);

        feed(PING + "\n");
        connection.halfClosed();

        assertThat(intake.notes).isEmpty();
    }

    @Test
    void rejectedLineIsReportedWithoutItsText() {
        connection.start(intake);

        feed("{\"s3cret\"}\n");

        assertThat(intake.notes).singleElement().satisfies(note -> {
            assertThat(note.kind()).isEqualTo(AuditNote.FRAME_REFUSED);
            assertThat(note.details()).containsEntry("code", "PARSE_ERROR").containsEntry("bytes", "10");
            assertThat(note.toString()).doesNotContain("s3cret");
        });
    }

    @Test
    void repeatedRejectionsAreReportedLessAndLessOften() {
        connection.start(intake);

        feed("x\n".repeat(100));

        assertThat(intake.notes)
                .extracting(note -> note.details().get("count"))
                .containsExactly("1", "2", "4", "8", "16", "32", "64");
    }

    @Test
    void tooLargeLineIsReportedWithTheLimit() {
        connection = connection(ClientStreamLimits.DEFAULTS.withLimits(Limits.CLIENT.withMaxBytes(10)));
        connection.start(intake);

        feed(PING);

        assertThat(intake.notes)
                .singleElement()
                .satisfies(note -> assertThat(note.details())
                        .hasEntrySatisfying(
                                "reason", reason -> assertThat(reason).contains("the limit client-frame is 10")));
    }

    @Test
    void incompleteLastLineIsNotExecuted() {
        connection.start(intake);

        feed(PING);
        connection.halfClosed();

        assertThat(intake.exchanges).hasSize(1);
        assertThat(intake.events).endsWith("abandoned", "closed");
    }

    @Test
    void halfClosedClientReceivesItsAnswersBeforeTheConnectionCloses() {
        connection.start(intake);
        feed(PING + "\n");
        var exchange = intake.last();
        connection.halfClosed();
        assertThat(sink.closed).isZero();

        exchange.end(Ending.answer(Response.result(MessageId.of(1), "{}")));

        assertThat(sink.lines()).hasSize(1);
        assertThat(sink.closed).isEqualTo(1);
        assertThat(clock.pending()).isZero();
    }

    @Test
    void listenStreamDoesNotKeepAHalfClosedClient() {
        connection.start(intake);
        feed("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\"}\n");

        connection.halfClosed();

        assertThat(sink.closed).isEqualTo(1);
        assertThat(intake.events).endsWith("abandoned", "closed");
    }

    @Test
    void halfClosedClientThatDoesNotReadIsClosedAfterTheTimeout() {
        connection.start(intake);
        feed(PING + "\n");
        sink.allow(0);
        connection.halfClosed();
        intake.last().end(Ending.answer(Response.result(MessageId.of(1), "{}")));
        assertThat(sink.closed).isZero();

        clock.ring();

        assertThat(sink.closed).isEqualTo(1);
        assertThat(budget.used()).isZero();
    }

    @Test
    void exchangesOfALostClientAreAbandonedOnceBeforeTheIntakeIsClosed() {
        connection.start(intake);
        feed(PING + "\n");

        connection.lost("gone");
        connection.close();

        assertThat(intake.events)
                .containsExactly("listen", "returned", PING, "returned", "abandoned", "abandoned", "closed");
        assertThat(intake.last().offer(Notification.of(Methods.PROGRESS, "{}"))).isEqualTo(Offer.FULL);
    }

    @Test
    void intakeIsClosedAfterADeliveryInProgress() {
        intake.behaviour = exchange -> exchange.message().ifPresent(message -> connection.close());
        connection.start(intake);

        feed(PING + "\n" + PING + "\n");

        assertThat(intake.events).containsOnlyOnce(PING).endsWith("returned", "closed");
    }

    @Test
    void clientThatDoesNotReadItsAnswersLosesTheConnection() {
        connection = connection(ClientStreamLimits.DEFAULTS.withMaxQueuedBytes(100));
        connection.start(intake);
        sink.allow(0);
        feed(PING + "\n" + PING + "\n");

        for (var exchange : intake.exchanges.subList(1, 3)) {
            exchange.end(Ending.answer(Response.result(MessageId.of(1), "\"" + "x".repeat(50) + "\"")));
        }

        assertThat(sink.closed).isEqualTo(1);
        assertThat(intake.events).endsWith("abandoned", "closed");
        assertThat(budget.used()).isZero();
    }

    @Test
    void endOfTheListeningExchangeClosesWhenEverythingIsWritten() {
        connection.start(intake);
        sink.allow(0);
        intake.last().offer(Notification.of(Methods.TOOLS_LIST_CHANGED));

        intake.last().end(Ending.empty());
        assertThat(sink.closed).isZero();
        sink.allow(1_000);
        connection.writable();

        assertThat(sink.lines()).hasSize(1);
        assertThat(sink.closed).isEqualTo(1);
    }

    @Test
    void settingsRejectInvalidValues() {
        assertThatThrownBy(() -> ClientStreamLimits.DEFAULTS.withFrameDeadline(Duration.ZERO))
                .hasMessage("'frame-deadline' is 0s but must be longer than zero");
        assertThatThrownBy(() -> ClientStreamLimits.DEFAULTS.withMaxQueuedBytes(0))
                .hasMessage("'max-queued-bytes' is 0 but must be at least 1");
    }

    private ClientLineConnection connection(ClientStreamLimits settings) {
        var environment = Environment.of(clock, Runnable::run, new NoLauncher())
                .withLimits(new BridgeLimits(Limits.CLIENT, Limits.SERVER, 1_024, 64, 1_024, 1_024, budget));
        return new ClientLineConnection(sink, PEER, settings, environment);
    }

    private void feed(String text) {
        connection.received(ByteBuffer.wrap(text.getBytes(UTF_8)));
    }
}
