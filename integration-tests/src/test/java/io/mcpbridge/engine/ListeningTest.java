package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Audience;
import io.mcpbridge.call.Caller;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a modern server tells unasked is heard by one listening that is kept open, whatever becomes of it. */
class ListeningTest {
    private static final String URI = "file:///a";
    /** Longer than the pauses here, and shorter than a server may take to acknowledge. */
    private static final Duration LONG = Duration.ofSeconds(20);

    private final OneServer bench = OneServer.reconnecting();
    private final RecordingAudience audience = new RecordingAudience();

    @BeforeEach
    void serveTheModernEra() {
        bench.server.modern();
        bench.server.declare("{\"tools\":{\"listChanged\":true},\"resources\":{\"subscribe\":true}}");
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void itIsOpenedForWhatTheServerDeclares() {
        bench.send();

        assertThat(listens().get(0).message().json())
                .contains("\"notifications\":{\"toolsListChanged\":true}")
                .contains("\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"");
        assertThat(bench.upstream().status().callsInFlight()).isEqualTo(1);
    }

    @Test
    void aServerThatTellsNothingIsNotListenedTo() {
        bench.server.declare("{\"tools\":{}}");

        bench.send();

        assertThat(listens()).isEmpty();
    }

    @Test
    void aChangeIsHeardOnceItIsAcknowledged() {
        bench.send();
        acknowledge(0, "{\"toolsListChanged\":true}");

        tell(Methods.TOOLS_LIST_CHANGED, 0, "");

        assertThat(bench.toolChanges).hasValue(1);
        assertThat(bench.upstream().status().dropped()).isZero();
    }

    @Test
    @DisplayName("B23: a change before the acknowledgement is dropped")
    void aChangeBeforeTheAcknowledgementIsDropped() {
        bench.send();

        tell(Methods.TOOLS_LIST_CHANGED, 0, "");

        assertThat(bench.toolChanges).hasValue(0);
        assertThat(bench.upstream().status().dropped()).isEqualTo(1);
    }

    @ParameterizedTest
    @DisplayName("H2: a change that names another listening, or none, is dropped")
    @ValueSource(strings = {"{}", "{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":999}}"})
    void aChangeOfAnotherListeningIsDropped(String params) {
        bench.send();
        acknowledge(0, "{\"toolsListChanged\":true}");

        bench.connection().receive(Notification.of(Methods.TOOLS_LIST_CHANGED, params));

        assertThat(bench.toolChanges).hasValue(0);
        assertThat(bench.upstream().status().dropped()).isEqualTo(1);
    }

    @Test
    @DisplayName("B24: a listening that ends by a result is opened again after a while")
    void oneThatEndsByAResultIsOpenedAgainAfterAWhile() {
        bench.send();
        acknowledge(0, "{\"toolsListChanged\":true}");

        bench.connection().receive(Response.result(id(listens().get(0)), "{\"resultType\":\"complete\"}"));
        assertThat(listens()).hasSize(1);
        bench.time.advance(LONG);

        assertThat(listens()).hasSize(2);
    }

    @Test
    @DisplayName("B24: a listening that ends by a cancellation is opened again after a while")
    void oneThatEndsByACancellationIsOpenedAgainAfterAWhile() {
        bench.send();
        acknowledge(0, "{\"toolsListChanged\":true}");

        var params = "{\"requestId\":" + id(listens().get(0)).raw() + "}";
        bench.connection().receive(Notification.of(Methods.CANCELLED, params));
        bench.time.advance(LONG);

        assertThat(listens()).hasSize(2);
    }

    @Test
    void whatMayHaveBeenMissedCountsAsChanged() {
        bench.send();
        acknowledge(0, "{\"toolsListChanged\":true}");
        bench.connection().receive(Response.result(id(listens().get(0)), "{}"));
        bench.time.advance(LONG);

        acknowledge(1, "{\"toolsListChanged\":true}");

        assertThat(bench.toolChanges).hasValue(1);
    }

    @Test
    void aServerThatDoesNotKnowItIsNotAskedAgain() {
        bench.send();

        bench.connection().receive(Response.error(id(listens().get(0)), -32601, "Method not found"));
        bench.time.advance(LONG);

        assertThat(listens()).hasSize(1);
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    @DisplayName("B24: a refused listening is not repeated in a loop")
    void aRefusalIsNotRepeatedInALoop() {
        bench.send();

        for (int i = 0; i < 5; i++) {
            bench.connection().receive(Response.error(id(listens().get(i)), -32603, "Subscription limit reached"));
            bench.time.advance(Duration.ofMillis(200));
            assertThat(listens()).hasSize(i + 1);
            bench.time.advance(LONG);
        }

        assertThat(listens()).hasSize(6);
    }

    @Test
    void aSubscriptionOpensAnotherOneAndDropsTheOldOneWhenThatIsAcknowledged() {
        bench.send();
        acknowledge(0, "{\"toolsListChanged\":true}");

        var reply = subscribe();
        assertThat(bench.connection().abandoned()).isEmpty();
        acknowledge(1, "{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"" + URI + "\"]}");

        assertThat(reply.awaitAnswer().json()).contains("\"result\":{}");
        assertThat(bench.connection().abandoned()).containsExactly(listens().get(0));
    }

    @Test
    void aChangeOfAResourceReachesWhoeverSubscribed() {
        bench.send();
        acknowledge(0, "{}");
        subscribe();
        acknowledge(1, "{\"resourceSubscriptions\":[\"" + URI + "\"]}");

        tell(Methods.RESOURCES_UPDATED, 1, "\"uri\":\"" + URI + "\",");

        assertThat(audience.heard()).hasSize(1);
        assertThat(audience.heard().get(0).json()).contains(URI).doesNotContain("subscriptionId");
    }

    @Test
    void aResourceThatTheServerDoesNotHonourIsRefused() {
        bench.send();
        acknowledge(0, "{}");

        var reply = subscribe();
        acknowledge(1, "{\"toolsListChanged\":true}");

        assertThat(reply.awaitFailure().message()).contains("does not tell of changes", URI);
    }

    @Test
    void subscriptionsAreTakenUpByTheNextConnection() {
        bench.send();
        acknowledge(0, "{}");
        subscribe();
        acknowledge(1, "{\"resourceSubscriptions\":[\"" + URI + "\"]}");

        bench.connection().end(Closed.disconnected("restarted"));
        bench.time.advance(LONG);

        assertThat(bench.server.connections()).hasSize(2);
        assertThat(listens().get(0).message().json()).contains("\"resourceSubscriptions\":[\"" + URI + "\"]");
    }

    @Test
    void whoIsGoneIsListenedForNoMore() {
        bench.send();
        acknowledge(0, "{}");
        subscribe();
        acknowledge(1, "{\"resourceSubscriptions\":[\"" + URI + "\"]}");

        audience.leave();

        assertThat(listens()).hasSize(3);
        assertThat(listens().get(2).message().json()).doesNotContain(URI);
    }

    @Test
    void clientsThatCanBeAskedOtherThingsShareWhatIsListenedFor() {
        bench.send();
        acknowledge(0, "{}");
        subscribe();
        acknowledge(1, "{\"resourceSubscriptions\":[\"" + URI + "\"]}");

        var other = OneServer.client("bob").but().capabilities("{\"roots\":{}}").build();
        var reply = subscribe(other, new RecordingAudience());
        assertThat(reply.awaitAnswer().json()).contains("\"result\":{}");
        audience.leave();

        assertThat(listens()).hasSize(2);
        assertThat(bench.connection().abandoned()).containsExactly(listens().get(0));
    }

    private RecordingReply subscribe() {
        return subscribe(OneServer.client("alice"), audience);
    }

    private RecordingReply subscribe(Caller caller, Audience listener) {
        var reply = new RecordingReply();
        var call = bench.call(Methods.RESOURCES_SUBSCRIBE, "{\"uri\":\"" + URI + "\"}", caller);
        bench.upstream().subscriptions().add(call, URI, listener, reply);
        return reply;
    }

    private void acknowledge(int listen, String honoured) {
        tell(Methods.SUBSCRIPTIONS_ACKNOWLEDGED, listen, "\"notifications\":" + honoured + ",");
    }

    private void tell(String method, int listen, String params) {
        var id = id(listens().get(listen)).raw();
        bench.connection()
                .receive(Notification.of(
                        method, "{%s\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%s}}".formatted(params, id)));
    }

    private List<Outgoing> listens() {
        return bench.connection().requests().stream()
                .filter(out -> ((Request) out.message()).method().equals(Methods.SUBSCRIPTIONS_LISTEN))
                .toList();
    }

    private static MessageId id(Outgoing out) {
        return ((Request) out.message()).id();
    }
}
