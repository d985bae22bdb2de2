package io.mcpbridge.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.testkit.RawClient;
import io.mcpbridge.testkit.RecordingAcceptor;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The half of {@link ListenerContract} that is about messages and their answers. */
abstract class ListenerMessages {
    final RecordingAcceptor acceptor = RecordingAcceptor.takingAll();

    Listener listener;

    abstract Listener make() throws Exception;

    abstract RawClient client(URI address) throws Exception;

    abstract TransportTraits.Shape peerShape();

    @BeforeEach
    void makeListener() throws Exception {
        listener = make();
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
                var other = client(listener.address())) {
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
    void whatIsOfferedBeforeTheEndArrivesBeforeIt() throws Exception {
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
    void whatBelongsToNoRequestReachesTheListeningClient() throws Exception {
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

    final RawClient start() throws Exception {
        listener.start(acceptor);
        return client(listener.address());
    }

    final boolean isShared() {
        return peerShape() == TransportTraits.Shape.SHARED_STREAM;
    }

    static String request(int id) {
        return Request.of(MessageId.of(id), Methods.PING).json();
    }

    static String requestOfLength(int length) {
        var empty = Request.of(MessageId.of(1), Methods.PING, "{\"text\":\"\"}").length();
        return Request.of(MessageId.of(1), Methods.PING, "{\"text\":\"" + "x".repeat(length - empty) + "\"}")
                .json();
    }

    static Notification progress(int value) {
        return Notification.of(Methods.PROGRESS, "{\"progressToken\":1,\"progress\":" + value + "}");
    }

    static MessageId idOf(Exchange exchange) {
        return exchange.message()
                .filter(message -> message.has(Part.ID))
                .map(message -> ((Request) message).id())
                .orElseThrow();
    }
}
