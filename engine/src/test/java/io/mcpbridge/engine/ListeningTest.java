package io.mcpbridge.engine;

import static io.mcpbridge.engine.ListeningBench.URI;
import static io.mcpbridge.engine.ListeningBench.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a modern server tells unasked is heard by one listening that is kept open, whatever becomes of it. */
class ListeningTest {
    /** Longer than the pauses here, and shorter than a server may take to acknowledge. */
    private static final Duration LONG = Duration.ofSeconds(20);

    private final ListeningBench listening = new ListeningBench();
    private final OneServer bench = listening.one;

    @AfterEach
    void close() {
        listening.close();
    }

    @Test
    void itIsOpenedForWhatTheServerDeclares() {
        bench.send();

        assertThat(listening.listens().get(0).message().json())
                .contains("\"notifications\":{\"toolsListChanged\":true}")
                .contains("\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"");
        assertThat(bench.upstream().status().callsInFlight()).isEqualTo(1);
    }

    @Test
    void aServerThatTellsNothingIsNotListenedTo() {
        bench.server.declare("{\"tools\":{}}");

        bench.send();

        assertThat(listening.listens()).isEmpty();
    }

    @Test
    void aChangeIsHeardOnceItIsAcknowledged() {
        bench.send();
        listening.acknowledge(0, "{\"toolsListChanged\":true}");

        listening.tell(Methods.TOOLS_LIST_CHANGED, 0, "");

        assertThat(bench.toolChanges).hasValue(1);
        assertThat(bench.upstream().status().dropped()).isZero();
    }

    @Test
    @DisplayName("B23: a change before the acknowledgement is dropped")
    void aChangeBeforeTheAcknowledgementIsDropped() {
        bench.send();

        listening.tell(Methods.TOOLS_LIST_CHANGED, 0, "");

        assertThat(bench.toolChanges).hasValue(0);
        assertThat(bench.upstream().status().dropped()).isEqualTo(1);
    }

    @ParameterizedTest
    @DisplayName("H2: a change that names another listening, or none, is dropped")
    @ValueSource(strings = {"{}", "{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":999}}"})
    void aChangeOfAnotherListeningIsDropped(String params) {
        bench.send();
        listening.acknowledge(0, "{\"toolsListChanged\":true}");

        bench.connection().receive(Notification.of(Methods.TOOLS_LIST_CHANGED, params));

        assertThat(bench.toolChanges).hasValue(0);
        assertThat(bench.upstream().status().dropped()).isEqualTo(1);
    }

    @Test
    @DisplayName("B24: a listening that ends by a result is opened again after a while")
    void oneThatEndsByAResultIsOpenedAgainAfterAWhile() {
        bench.send();
        listening.acknowledge(0, "{\"toolsListChanged\":true}");

        bench.connection().receive(Response.result(id(listening.listens().get(0)), "{\"resultType\":\"complete\"}"));
        assertThat(listening.listens()).hasSize(1);
        bench.time.advance(LONG);

        assertThat(listening.listens()).hasSize(2);
    }

    @Test
    @DisplayName("B24: a listening that ends by a cancellation is opened again after a while")
    void oneThatEndsByACancellationIsOpenedAgainAfterAWhile() {
        bench.send();
        listening.acknowledge(0, "{\"toolsListChanged\":true}");

        var params = "{\"requestId\":" + id(listening.listens().get(0)).raw() + "}";
        bench.connection().receive(Notification.of(Methods.CANCELLED, params));
        bench.time.advance(LONG);

        assertThat(listening.listens()).hasSize(2);
    }

    @Test
    void whatMayHaveBeenMissedCountsAsChanged() {
        bench.send();
        listening.acknowledge(0, "{\"toolsListChanged\":true}");
        bench.connection().receive(Response.result(id(listening.listens().get(0)), "{}"));
        bench.time.advance(LONG);

        listening.acknowledge(1, "{\"toolsListChanged\":true}");

        assertThat(bench.toolChanges).hasValue(1);
    }

    @Test
    void aServerThatDoesNotKnowItIsNotAskedAgain() {
        bench.send();

        bench.connection().receive(Response.error(id(listening.listens().get(0)), -32601, "Method not found"));
        bench.time.advance(LONG);

        assertThat(listening.listens()).hasSize(1);
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    @DisplayName("B24: a refused listening is not repeated in a loop")
    void aRefusalIsNotRepeatedInALoop() {
        bench.send();

        for (int i = 0; i < 5; i++) {
            bench.connection()
                    .receive(Response.error(id(listening.listens().get(i)), -32603, "Subscription limit reached"));
            bench.time.advance(Duration.ofMillis(200));
            assertThat(listening.listens()).hasSize(i + 1);
            bench.time.advance(LONG);
        }

        assertThat(listening.listens()).hasSize(6);
    }

    @Test
    void aSubscriptionOpensAnotherOneAndDropsTheOldOneWhenThatIsAcknowledged() {
        bench.send();
        listening.acknowledge(0, "{\"toolsListChanged\":true}");

        var reply = listening.subscribe();
        assertThat(bench.connection().abandoned()).isEmpty();
        listening.acknowledge(1, "{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"" + URI + "\"]}");

        assertThat(reply.awaitAnswer().json()).contains("\"result\":{}");
        assertThat(bench.connection().abandoned())
                .containsExactly(listening.listens().get(0));
    }

    @Test
    void changeOfAResourceReachesItsSubscribers() {
        bench.send();
        listening.acknowledge(0, "{}");
        listening.subscribe();
        listening.acknowledge(1, "{\"resourceSubscriptions\":[\"" + URI + "\"]}");

        listening.tell(Methods.RESOURCES_UPDATED, 1, "\"uri\":\"" + URI + "\",");

        assertThat(listening.audience.heard()).hasSize(1);
        assertThat(listening.audience.heard().get(0).json()).contains(URI).doesNotContain("subscriptionId");
    }

    @Test
    void aResourceThatTheServerDoesNotHonourIsRefused() {
        bench.send();
        listening.acknowledge(0, "{}");

        var reply = listening.subscribe();
        listening.acknowledge(1, "{\"toolsListChanged\":true}");

        assertThat(reply.awaitFailure().message()).contains("does not report changes", URI);
    }

    @Test
    void aServerThatDeclaresNoSubscriptionsIsNotAskedForOne() {
        bench.server.declare("{\"tools\":{\"listChanged\":true},\"resources\":{}}");
        bench.send();

        var reply = listening.subscribe();

        assertThat(reply.awaitFailure().message()).contains("does not report changes", URI);
        assertThat(listening.listens()).hasSize(1);
    }

    @Test
    void subscriptionsAreTakenUpByTheNextConnection() {
        bench.send();
        listening.acknowledge(0, "{}");
        listening.subscribe();
        listening.acknowledge(1, "{\"resourceSubscriptions\":[\"" + URI + "\"]}");

        bench.connection().end(Closed.disconnected("restarted"));
        bench.time.advance(LONG);

        assertThat(bench.server.connections()).hasSize(2);
        assertThat(listening.listens().get(0).message().json()).contains("\"resourceSubscriptions\":[\"" + URI + "\"]");
    }

    @Test
    void whoIsGoneIsListenedForNoMore() {
        bench.send();
        listening.acknowledge(0, "{}");
        listening.subscribe();
        listening.acknowledge(1, "{\"resourceSubscriptions\":[\"" + URI + "\"]}");

        listening.audience.leave();

        assertThat(listening.listens()).hasSize(3);
        assertThat(listening.listens().get(2).message().json()).doesNotContain(URI);
    }

    @Test
    void clientsThatCanBeAskedOtherThingsShareWhatIsListenedFor() {
        bench.send();
        listening.acknowledge(0, "{}");
        listening.subscribe();
        listening.acknowledge(1, "{\"resourceSubscriptions\":[\"" + URI + "\"]}");

        var other = OneServer.client("bob").withCapabilities("{\"roots\":{}}");
        var reply = listening.subscribe(other, new RecordingAudience());
        assertThat(reply.awaitAnswer().json()).contains("\"result\":{}");
        listening.audience.leave();

        assertThat(listening.listens()).hasSize(2);
        assertThat(bench.connection().abandoned())
                .containsExactly(listening.listens().get(0));
    }

    @Test
    void whoSubscribesInTheMomentThatTheNextSessionIsReadyIsListenedFor() {
        bench.send();
        bench.events.subscribe(event -> {
            if (event instanceof BridgeEvent.Reconnected) {
                listening.subscribe();
            }
        });

        bench.connection().end(Closed.disconnected("restarted"));
        bench.time.advance(LONG);
        listening.acknowledge(0, "{}");

        assertThat(bench.connection().requests())
                .noneMatch(out -> ((Request) out.message()).method().equals(Methods.RESOURCES_SUBSCRIBE));
        assertThat(listening.listens())
                .anyMatch(out -> out.message().json().contains("\"resourceSubscriptions\":[\"" + URI + "\"]"));
    }
}
