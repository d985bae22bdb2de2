package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.TransportFailure;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A listening that the server leaves hanging, drops or outlives is tried again in time and never for nobody. */
class ListeningFailuresTest {
    private static final String URI = "file:///a";
    private static final Duration PAUSE = Duration.ofSeconds(1);

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

    @Nested
    class WithoutAnAcknowledgement {
        @Test
        void itCountsAsFailedAfterTheTimeOutOfTheServerAndIsTriedAgainAfterAPause() {
            bench.send();

            bench.time.advance(OneServer.TIMEOUT);
            assertThat(bench.connection().abandoned()).containsExactly(listens().get(0));
            assertThat(listens()).hasSize(1);
            bench.time.advance(PAUSE);

            assertThat(listens()).hasSize(2);
        }

        @Test
        void thePausesGrow() {
            bench.send();
            bench.time.advance(OneServer.TIMEOUT);
            bench.time.advance(PAUSE);
            bench.time.advance(OneServer.TIMEOUT);

            bench.time.advance(PAUSE.dividedBy(4));
            assertThat(listens()).hasSize(2);
            bench.time.advance(PAUSE);

            assertThat(listens()).hasSize(3);
        }

        @Test
        void whoeverWaitsForItIsToldWhy() {
            bench.send();
            acknowledge(0, "{}");
            var reply = subscribe(Duration.ofMinutes(10));

            bench.time.advance(OneServer.TIMEOUT);

            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
            assertThat(reply.awaitFailure().message())
                    .contains("server 'tools' did not acknowledge 'subscriptions/listen' within 30000 ms");
        }

        @Test
        void whoeverHasLessTimeIsToldWhenThatIsUp() {
            bench.send();
            acknowledge(0, "{}");
            var reply = subscribe(Duration.ofSeconds(5));

            bench.time.advance(Duration.ofSeconds(5));

            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
            assertThat(bench.upstream().subscriptions().count(audience)).isZero();
            assertThat(audience.awaited()).isZero();
        }

        @Test
        void oneThatComesTooLateIsNothingToListenTo() {
            bench.send();
            bench.time.advance(OneServer.TIMEOUT);

            acknowledge(0, "{\"toolsListChanged\":true}");
            tell(Methods.TOOLS_LIST_CHANGED, 0);

            assertThat(bench.toolChanges).hasValue(0);
            assertThat(bench.upstream().status().dropped()).isEqualTo(2);
        }

        @Test
        void whatWasListenedToBeforeGoesOn() {
            bench.send();
            acknowledge(0, "{\"toolsListChanged\":true}");
            subscribe(Duration.ofMinutes(10));
            bench.time.advance(OneServer.TIMEOUT);

            tell(Methods.TOOLS_LIST_CHANGED, 0);

            assertThat(bench.toolChanges).hasValue(1);
        }
    }

    @Nested
    class AfterItsStreamBroke {
        @Test
        void itIsOpenedAgainAfterAWhile() {
            bench.server.streamPerRequest();
            bench.send();
            acknowledge(0, "{\"toolsListChanged\":true}");

            bench.connection().fail(listens().get(0), broken());
            assertThat(listens()).hasSize(1);
            bench.time.advance(PAUSE);
            acknowledge(1, "{\"toolsListChanged\":true}");

            assertThat(listens()).hasSize(2);
            assertThat(bench.toolChanges).as("what may have been missed").hasValue(1);
        }

        @Test
        void onesThatBreakAtOnceAreOpenedLessAndLessOften() {
            bench.server.streamPerRequest();
            bench.send();

            for (int i = 0; i < 5; i++) {
                bench.connection().fail(listens().get(i), broken());
                bench.time.advance(Duration.ofMillis(200));
                assertThat(listens()).hasSize(i + 1);
                bench.time.advance(Duration.ofSeconds(10));
            }

            assertThat(listens()).hasSize(6);
        }

        private TransportFailure broken() {
            var why = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "the stream broke");
            return TransportFailure.of(TransportFailure.Kind.REQUEST_FAILED, why);
        }
    }

    @Nested
    class AfterTheEndOfTheSession {
        @Test
        void nothingIsTriedAgain() {
            bench.send();
            bench.connection().receive(Response.error(id(listens().get(0)), -32603, "not now"));

            bench.close();

            assertThat(bench.time.pendingAlarms()).isZero();
        }

        @Test
        void aListeningThatBeginsTooLateTriesNothing() {
            var isCut = new AtomicBoolean();
            bench.events.subscribe(event -> {
                if (event instanceof BridgeEvent.Reconnected && isCut.compareAndSet(false, true)) {
                    bench.connection().end(Closed.disconnected("gone while it was welcomed"));
                }
            });
            bench.send();
            bench.connection().end(Closed.disconnected("restarted"));
            bench.time.advance(Duration.ofMinutes(1));
            assertThat(isCut).isTrue();

            bench.close();

            assertThat(bench.time.pendingAlarms()).isZero();
        }

        @Test
        void whoeverComesThenIsToldSo() {
            bench.send();
            acknowledge(0, "{}");
            var reply = subscribe(Duration.ofMinutes(10));

            bench.connection().end(Closed.disconnected("restarted"));

            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
        }
    }

    @Test
    void whoeverCameWhileAServerRefusedToListenAtAllIsToldSoAtOnce() {
        bench.send();
        var reply = subscribe(Duration.ofMinutes(10));

        bench.connection().receive(Response.error(id(listens().get(0)), -32601, "Method not found"));

        assertThat(reply.awaitFailure().message()).contains("server 'tools' does not listen for changes");
        assertThat(listens()).hasSize(1);
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void aResourceThatIsRefusedIsAskedForNoMore() {
        bench.send();
        acknowledge(0, "{}");
        subscribe(Duration.ofMinutes(10));

        acknowledge(1, "{\"toolsListChanged\":true}");

        assertThat(bench.connection().last().message().json()).doesNotContain(URI);
    }

    private RecordingReply subscribe(Duration patience) {
        var reply = new RecordingReply();
        var request = bench.call(Methods.RESOURCES_SUBSCRIBE, "{\"uri\":\"" + URI + "\"}", OneServer.client("alice"))
                .request();
        var call = Call.of(request, OneServer.client("alice"), "c-1", Deadline.after(patience, bench.time));
        bench.upstream().subscriptions().add(call, URI, audience, reply);
        return reply;
    }

    private void acknowledge(int listen, String honoured) {
        say(Methods.SUBSCRIPTIONS_ACKNOWLEDGED, listen, "\"notifications\":" + honoured + ",");
    }

    private void tell(String method, int listen) {
        say(method, listen, "");
    }

    private void say(String method, int listen, String params) {
        var meta = "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%s}"
                .formatted(id(listens().get(listen)).raw());
        bench.connection().receive(Notification.of(method, "{" + params + meta + "}"));
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
