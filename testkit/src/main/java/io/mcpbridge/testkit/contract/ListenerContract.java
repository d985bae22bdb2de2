package io.mcpbridge.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.RawClient;
import io.mcpbridge.testkit.RecordingAcceptor;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Contract tests for every {@link Listener}. A transport module extends this class and supplies listener and client.
 */
@Contract
public abstract class ListenerContract {
    private final RecordingAcceptor acceptor = RecordingAcceptor.takingAll();

    private Listener listener;

    /** Creates a listener that has not started, at an address of its own. */
    protected abstract Listener listener() throws Exception;

    /** Connects a client to the started listener at this address. */
    protected abstract RawClient connect(URI address) throws Exception;

    /** Whether all messages share one stream, or each has its own. */
    protected abstract TransportTraits.Shape shape();

    /** Whether {@link Listener#bind} takes the address; false if {@link Listener#start} does. */
    protected boolean bindsEarly() {
        return true;
    }

    @BeforeEach
    void makeListener() throws Exception {
        listener = listener();
    }

    @AfterEach
    void closeListener() {
        listener.close();
    }

    @Test
    void eachMessageIsAnExchangeInTheOrderSent() throws Exception {
        try (var client = start()) {
            for (int i = 0; i < 100; i++) {
                client.send(request(i));

                var exchange = acceptor.awaitMessage();
                assertThat(idOf(exchange)).isEqualTo(MessageId.of(i));
                exchange.end(Ending.accepted());
            }
        }
    }

    @Test
    void messagesSentAtOnceArriveInTheirOrder() throws Exception {
        try (var client = start()) {
            assumeTrue(isShared(), "each message has a stream of its own");
            for (int i = 0; i < 100; i++) {
                client.send(request(i));
            }

            for (int i = 0; i < 100; i++) {
                assertThat(idOf(acceptor.awaitMessage())).isEqualTo(MessageId.of(i));
            }
        }
    }

    @Test
    void messageArrivesByteForByte() throws Exception {
        var odd =
                "{\"params\":{\"n\":1.50e+3, \"text\":\"\\u00fc 🚀\"},\"id\":\"ä\",\"method\":\"ping\",\"jsonrpc\":\"2.0\"}";
        try (var client = start()) {
            client.send(odd);

            assertThat(acceptor.awaitMessage().message().map(Message::json)).contains(odd);
        }
    }

    @Test
    void answerReachesTheClientThatAsked() throws Exception {
        try (var one = start();
                var other = connect(listener.address())) {
            one.send(request(7));
            var asked = acceptor.awaitMessage();
            other.send(request(7));
            var askedLater = acceptor.awaitMessage();

            askedLater.end(Ending.answer(Response.result(MessageId.of(7), "\"other\"")));
            asked.end(Ending.answer(Response.result(MessageId.of(7), "\"one\"")));

            assertThat(one.receive()).contains("\"one\"");
            assertThat(other.receive()).contains("\"other\"");
        }
    }

    @Test
    void offersArriveBeforeTheEnd() throws Exception {
        try (var client = start()) {
            client.send(request(1));
            var exchange = acceptor.awaitMessage();

            var first = exchange.offer(progress(1));
            exchange.offer(progress(2));
            exchange.end(Ending.answer(Response.result(MessageId.of(1), "{}")));

            assertThat(first).isNotEqualTo(Exchange.Offer.FULL);
            assertThat(client.receive()).contains("\"progress\":1");
            assertThat(client.receive()).contains("\"progress\":2");
            assertThat(client.receive()).contains("\"result\"");
        }
    }

    @Test
    void onlyTheFirstEndCounts() throws Exception {
        try (var client = start()) {
            client.send(request(1));
            var exchange = acceptor.awaitMessage();

            exchange.end(Ending.answer(Response.result(MessageId.of(1), "\"first\"")));
            exchange.end(Ending.answer(Response.result(MessageId.of(1), "\"second\"")));
            client.send(request(2));
            acceptor.awaitMessage().end(Ending.answer(Response.result(MessageId.of(2), "\"third\"")));

            assertThat(client.receive()).contains("first");
            assertThat(client.receive()).contains("third");
        }
    }

    @Test
    void notificationReachesTheListeningClient() throws Exception {
        try (var client = start()) {
            assumeTrue(isShared(), "the client listens with a request of its own");
            var listening = acceptor.await(Exchange.Kind.LISTEN);

            listening.offer(Notification.of(Methods.TOOLS_LIST_CHANGED));

            assertThat(client.receive()).contains(Methods.TOOLS_LIST_CHANGED);
        }
    }

    @Test
    void malformedMessageIsAnsweredWithAnErrorAndTheNextOneWorks() throws Exception {
        try (var client = start()) {
            client.send("{\"jsonrpc\":\"2.0\",");
            var answer = client.receive();
            client.send(request(2));

            assertThat(answer).contains("\"error\"").contains("-32700").doesNotContain("\"id\":null");
            assertThat(idOf(acceptor.awaitMessage())).isEqualTo(MessageId.of(2));
        }
    }

    @Test
    void messageOneByteBelowTheLimitArrives() throws Exception {
        try (var client = start()) {
            client.send(requestOfLength(Limits.CLIENT.maxBytes() - 1));

            assertThat(acceptor.awaitMessage().message().map(Message::length)).contains(Limits.CLIENT.maxBytes() - 1);
        }
    }

    @Test
    void messageOverTheLimitIsAnsweredWithAnError() throws Exception {
        try (var client = start()) {
            client.send(requestOfLength(Limits.CLIENT.maxBytes() + 1));

            assertThat(client.receive()).contains("\"error\"").contains("-32600");
        }
    }

    @Test
    void exchangesAreAbandonedWhenTheirClientLeaves() throws Exception {
        var abandoned = new AtomicInteger();
        var client = start();
        client.send(request(1));
        var exchange = acceptor.awaitMessage();
        exchange.onAbandoned(abandoned::incrementAndGet);

        client.close();

        Eventually.holds("the exchange to be abandoned", () -> abandoned.get() == 1);
        Eventually.holds("offers to be refused", () -> exchange.offer(progress(1)) == Exchange.Offer.FULL);
        exchange.end(Ending.answer(Response.result(MessageId.of(1), "{}")));
        exchange.onAbandoned(abandoned::incrementAndGet);
        assertThat(abandoned).hasValue(2);
    }

    @Test
    void endOfAConnectionIsReported() throws Exception {
        var client = start();
        assumeTrue(isShared(), "the intake is the listener's, not the connection's");
        acceptor.await(Exchange.Kind.LISTEN);

        client.close();

        Eventually.holds("the intake to be closed", () -> acceptor.closings() == 1);
    }

    @Test
    void endedExchangeIsNotAbandoned() throws Exception {
        var abandoned = new AtomicInteger();
        var client = start();
        client.send(request(1));
        var exchange = acceptor.awaitMessage();
        exchange.onAbandoned(abandoned::incrementAndGet);
        exchange.end(Ending.answer(Response.result(MessageId.of(1), "{}")));
        client.receive();

        client.close();
        listener.close();

        assertThat(abandoned).hasValue(0);
    }

    @Test
    void rejectedPeerIsDisconnected() throws Exception {
        assumeTrue(isShared(), "peers are not told apart before they send");
        listener.start(RecordingAcceptor.turningAway());

        try (var client = connect(listener.address())) {
            client.awaitEnd();
        }
    }

    @Test
    void connectionsContinueAfterStopAccepting() throws Exception {
        try (var client = start()) {
            client.send(request(1));
            var exchange = acceptor.awaitMessage();

            listener.stopAccepting();
            exchange.end(Ending.answer(Response.result(MessageId.of(1), "\"late\"")));

            assertThat(client.receive()).contains("late");
            var peers = acceptor.peers().size();
            assertThat(catchThrowable(this::connectAndAsk)).isInstanceOf(IOException.class);
            assertThat(acceptor.peers()).hasSize(peers);
        }
    }

    /** The system may still accept the connection for a moment, but no listener answers. */
    private void connectAndAsk() throws Exception {
        try (var late = connect(listener.address())) {
            late.send(request(2));
            late.receive();
        }
    }

    @Test
    void closeEndsEveryConnectionAndExchange() throws Exception {
        var abandoned = new AtomicInteger();
        try (var client = start()) {
            client.send(request(1));
            acceptor.awaitMessage().onAbandoned(abandoned::incrementAndGet);

            listener.close();
            listener.close();

            client.awaitEnd();
            Eventually.holds("the exchange to be abandoned", () -> abandoned.get() == 1);
            Eventually.holds("the intake to be closed", () -> acceptor.closings() == 1);
        }
    }

    @Test
    void closingBeforeTheStartIsHarmless() {
        assertThatCode(listener::close).doesNotThrowAnyException();
    }

    @Test
    void clientOfABoundListenerWaitsForTheStart() throws Exception {
        assumeTrue(bindsEarly(), "the listener binds when it starts");
        listener.bind();
        try (var client = connect(listener.address())) {
            client.send(request(1));

            listener.start(acceptor);

            assertThat(idOf(acceptor.awaitMessage())).isEqualTo(MessageId.of(1));
        }
    }

    @Test
    void nothingIsLeftOfABoundListener() throws Exception {
        var before = LeakCheck.now();
        listener.bind();

        listener.close();

        before.assertNothingLeft();
    }

    @Test
    void nothingIsLeftBehind() throws Exception {
        var before = LeakCheck.now();
        try (var client = start()) {
            client.send(request(1));
            acceptor.awaitMessage();
        }

        listener.close();

        before.assertNothingLeft();
    }

    private RawClient start() throws Exception {
        listener.start(acceptor);
        return connect(listener.address());
    }

    private boolean isShared() {
        return shape() == TransportTraits.Shape.SHARED_STREAM;
    }

    private static String request(int id) {
        return Request.of(MessageId.of(id), Methods.PING).json();
    }

    private static String requestOfLength(int length) {
        var empty = Request.of(MessageId.of(1), Methods.PING, "{\"text\":\"\"}").length();
        return Request.of(MessageId.of(1), Methods.PING, "{\"text\":\"" + "x".repeat(length - empty) + "\"}")
                .json();
    }

    private static Notification progress(int value) {
        return Notification.of(Methods.PROGRESS, "{\"progressToken\":1,\"progress\":" + value + "}");
    }

    private static MessageId idOf(Exchange exchange) {
        return exchange.message()
                .filter(message -> message.has(MessageField.ID))
                .map(message -> ((Request) message).id())
                .orElseThrow();
    }
}
