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

/** One listen stream receives the notifications of a modern server and is reopened after every end. */
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
    void streamIsOpenedForDeclaredCapabilities() {
        bench.send();

        assertThat(listening.listens().get(0).message().json())
                .contains("\"notifications\":{\"toolsListChanged\":true}")
                .contains("\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"");
        assertThat(bench.upstream().status().callsInFlight()).isEqualTo(1);
    }

    @Test
    void streamIsNotOpenedWithoutAListChangedCapability() {
        bench.server.declare("{\"tools\":{}}");

        bench.send();

        assertThat(listening.listens()).isEmpty();
    }

    @Test
    void changeIsReportedAfterTheAcknowledgement() {
        bench.send();
        listening.acknowledge(0, "{\"toolsListChanged\":true}");

        listening.sendChange(Methods.TOOLS_LIST_CHANGED, 0, "");

        assertThat(bench.toolChanges).hasValue(1);
        assertThat(bench.upstream().status().dropped()).isZero();
    }

    @Test
    @DisplayName("B23: a change before the acknowledgement is dropped")
    void changeBeforeTheAcknowledgementIsDropped() {
        bench.send();

        listening.sendChange(Methods.TOOLS_LIST_CHANGED, 0, "");

        assertThat(bench.toolChanges).hasValue(0);
        assertThat(bench.upstream().status().dropped()).isEqualTo(1);
    }

    @ParameterizedTest
    @DisplayName("H2: a change that names another stream, or none, is dropped")
    @ValueSource(strings = {"{}", "{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":999}}"})
    void changeOfAnotherStreamIsDropped(String params) {
        bench.send();
        listening.acknowledge(0, "{\"toolsListChanged\":true}");

        bench.connection().receive(Notification.of(Methods.TOOLS_LIST_CHANGED, params));

        assertThat(bench.toolChanges).hasValue(0);
        assertThat(bench.upstream().status().dropped()).isEqualTo(1);
    }

    @Test
    @DisplayName("B24: a stream that ends by a result is reopened after a delay")
    void streamThatEndsByAResultIsReopenedAfterADelay() {
        bench.send();
        listening.acknowledge(0, "{\"toolsListChanged\":true}");

        bench.connection().receive(Response.result(id(listening.listens().get(0)), "{\"resultType\":\"complete\"}"));
        assertThat(listening.listens()).hasSize(1);
        bench.time.advance(LONG);

        assertThat(listening.listens()).hasSize(2);
    }

    @Test
    @DisplayName("B24: a stream that ends by a cancellation is reopened after a delay")
    void streamThatEndsByACancellationIsReopenedAfterADelay() {
        bench.send();
        listening.acknowledge(0, "{\"toolsListChanged\":true}");

        var params = "{\"requestId\":" + id(listening.listens().get(0)).raw() + "}";
        bench.connection().receive(Notification.of(Methods.CANCELLED, params));
        bench.time.advance(LONG);

        assertThat(listening.listens()).hasSize(2);
    }

    @Test
    void reopenedStreamReportsAPossiblyMissedChange() {
        bench.send();
        listening.acknowledge(0, "{\"toolsListChanged\":true}");
        bench.connection().receive(Response.result(id(listening.listens().get(0)), "{}"));
        bench.time.advance(LONG);

        listening.acknowledge(1, "{\"toolsListChanged\":true}");

        assertThat(bench.toolChanges).hasValue(1);
    }

    @Test
    void serverWithoutTheListenMethodIsNotAskedAgain() {
        bench.send();

        bench.connection().receive(Response.error(id(listening.listens().get(0)), -32601, "Method not found"));
        bench.time.advance(LONG);

        assertThat(listening.listens()).hasSize(1);
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    @DisplayName("B24: a rejected stream is reopened with growing delays")
    void rejectedStreamIsReopenedWithGrowingDelays() {
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
    void newSubscriptionReplacesTheStreamOnceItIsAcknowledged() {
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

        listening.sendChange(Methods.RESOURCES_UPDATED, 1, "\"uri\":\"" + URI + "\",");

        assertThat(listening.audience.heard()).hasSize(1);
        assertThat(listening.audience.heard().get(0).json()).contains(URI).doesNotContain("subscriptionId");
    }

    @Test
    void resourceThatTheServerDoesNotGrantIsRejected() {
        bench.send();
        listening.acknowledge(0, "{}");

        var reply = listening.subscribe();
        listening.acknowledge(1, "{\"toolsListChanged\":true}");

        assertThat(reply.awaitFailure().message()).contains("does not report changes", URI);
    }

    @Test
    void subscriptionIsRejectedIfTheServerDeclaresNone() {
        bench.server.declare("{\"tools\":{\"listChanged\":true},\"resources\":{}}");
        bench.send();

        var reply = listening.subscribe();

        assertThat(reply.awaitFailure().message()).contains("does not report changes", URI);
        assertThat(listening.listens()).hasSize(1);
    }

    @Test
    void subscriptionsAreRestoredOnTheNextConnection() {
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
    void closedSubscriberIsRemovedFromTheStream() {
        bench.send();
        listening.acknowledge(0, "{}");
        listening.subscribe();
        listening.acknowledge(1, "{\"resourceSubscriptions\":[\"" + URI + "\"]}");

        listening.audience.leave();

        assertThat(listening.listens()).hasSize(3);
        assertThat(listening.listens().get(2).message().json()).doesNotContain(URI);
    }

    @Test
    void clientsWithDifferentCapabilitiesShareAStream() {
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
    void subscriberDuringAReconnectIsIncluded() {
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
