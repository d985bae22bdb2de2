package io.mcpbridge.engine;

import static io.mcpbridge.engine.ListeningBench.URI;
import static io.mcpbridge.engine.ListeningBench.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.RequestFailure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A subscription stream that hangs or ends is opened again while a client needs it. */
class ListeningFailuresTest {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ListeningBench listening = new ListeningBench();
    private final OneServer bench = listening.one;

    @AfterEach
    void close() {
        listening.close();
    }

    @Nested
    class WithoutAnAcknowledgement {
        @Test
        void missingAcknowledgementTimesOutAndIsRetriedAfterADelay() {
            bench.send();

            bench.time.advance(OneServer.TIMEOUT);
            assertThat(bench.connection().abandoned())
                    .containsExactly(listening.listens().get(0));
            assertThat(listening.listens()).hasSize(1);
            bench.time.advance(PAUSE);

            assertThat(listening.listens()).hasSize(2);
        }

        @Test
        void retryDelayGrows() {
            bench.send();
            bench.time.advance(OneServer.TIMEOUT);
            bench.time.advance(PAUSE);
            bench.time.advance(OneServer.TIMEOUT);

            bench.time.advance(PAUSE.dividedBy(4));
            assertThat(listening.listens()).hasSize(2);
            bench.time.advance(PAUSE);

            assertThat(listening.listens()).hasSize(3);
        }

        @Test
        void waitingSubscriberReceivesTheTimeout() {
            bench.send();
            listening.acknowledge(0, "{}");
            var reply = listening.subscribe(Duration.ofMinutes(10));

            bench.time.advance(OneServer.TIMEOUT);

            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
            assertThat(reply.awaitFailure().message())
                    .contains("server 'tools' did not acknowledge 'subscriptions/listen' within 30000 ms");
        }

        @Test
        void callerWithAShorterDeadlineFailsFirst() {
            bench.send();
            listening.acknowledge(0, "{}");
            var reply = listening.subscribe(Duration.ofSeconds(5));

            bench.time.advance(Duration.ofSeconds(5));

            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
            assertThat(bench.upstream().subscriptions().count(listening.audience))
                    .isZero();
            assertThat(listening.audience.awaited()).isZero();
        }

        @Test
        void lateAcknowledgementIsIgnored() {
            bench.send();
            bench.time.advance(OneServer.TIMEOUT);

            listening.acknowledge(0, "{\"toolsListChanged\":true}");
            listening.sendChange(Methods.TOOLS_LIST_CHANGED, 0);

            assertThat(bench.toolChanges).hasValue(0);
            assertThat(bench.upstream().status().dropped()).isEqualTo(2);
        }

        @Test
        void previousStreamStaysInUse() {
            bench.send();
            listening.acknowledge(0, "{\"toolsListChanged\":true}");
            listening.subscribe(Duration.ofMinutes(10));
            bench.time.advance(OneServer.TIMEOUT);

            listening.sendChange(Methods.TOOLS_LIST_CHANGED, 0);

            assertThat(bench.toolChanges).hasValue(1);
        }
    }

    @Nested
    class AfterItsStreamBroke {
        @Test
        void brokenStreamIsReopenedAfterADelay() {
            bench.server.streamPerRequest();
            bench.send();
            listening.acknowledge(0, "{\"toolsListChanged\":true}");

            bench.connection().fail(listening.listens().get(0), broken());
            assertThat(listening.listens()).hasSize(1);
            bench.time.advance(PAUSE);
            listening.acknowledge(1, "{\"toolsListChanged\":true}");

            assertThat(listening.listens()).hasSize(2);
            assertThat(bench.toolChanges).as("what may have been missed").hasValue(1);
        }

        @Test
        void streamThatBreaksAtOnceIsReopenedWithGrowingDelays() {
            bench.server.streamPerRequest();
            bench.send();

            for (int i = 0; i < 5; i++) {
                bench.connection().fail(listening.listens().get(i), broken());
                bench.time.advance(Duration.ofMillis(200));
                assertThat(listening.listens()).hasSize(i + 1);
                bench.time.advance(Duration.ofSeconds(10));
            }

            assertThat(listening.listens()).hasSize(6);
        }

        private RequestFailure broken() {
            var why = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "the stream broke");
            return RequestFailure.of(RequestFailure.Kind.REQUEST_FAILED, why);
        }
    }

    @Nested
    class AfterTheEndOfTheSession {
        @Test
        void closedUpstreamIsNotRetried() {
            bench.send();
            bench.connection().receive(Response.error(id(listening.listens().get(0)), -32603, "not now"));

            bench.close();

            assertThat(bench.time.pendingAlarms()).isZero();
        }

        @Test
        void streamIsNotOpenedOnAConnectionThatEndedMeanwhile() {
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
        void waitingSubscriberReceivesTheFailureOfTheSession() {
            bench.send();
            listening.acknowledge(0, "{}");
            var reply = listening.subscribe(Duration.ofMinutes(10));

            bench.connection().end(Closed.disconnected("restarted"));

            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
        }
    }

    @Test
    void subscriberReceivesTheRejectionOfTheServerAtOnce() {
        bench.send();
        var reply = listening.subscribe(Duration.ofMinutes(10));

        bench.connection().receive(Response.error(id(listening.listens().get(0)), -32601, "Method not found"));

        assertThat(reply.awaitFailure().message()).contains("server 'tools' does not listen for changes");
        assertThat(listening.listens()).hasSize(1);
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void rejectedResourceIsNotRequestedAgain() {
        bench.send();
        listening.acknowledge(0, "{}");
        listening.subscribe(Duration.ofMinutes(10));

        listening.acknowledge(1, "{\"toolsListChanged\":true}");

        assertThat(bench.connection().last().message().json()).doesNotContain(URI);
    }
}
