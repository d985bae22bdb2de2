package io.mcpbridge.engine;

import static io.mcpbridge.engine.ClientBench.hand;
import static io.mcpbridge.engine.ClientBench.say;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Intake;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients of the modern era that listen to changes: what is acknowledged, what is delivered, and how it ends. */
class ListenTest {
    private static final Notification TOOLS = Notification.of(Methods.TOOLS_LIST_CHANGED);
    private static final Notification PROMPTS = Notification.of(Methods.PROMPTS_LIST_CHANGED);
    private static final String CANCEL =
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%s}}";

    private final ClientBench bench = new ClientBench();
    private final Intake stream = bench.stream();
    private final Intake http = bench.http();

    @Nested
    class Acknowledged {
        @Test
        void acknowledgementPrecedesAllNotifications() {
            var listening = listen("\"l\"", "{\"toolsListChanged\":true,\"promptsListChanged\":false}");

            bench.clients.send(TOOLS);

            assertThat(listening.offered().stream().map(Message::json))
                    .containsExactly(
                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":"
                                    + "{\"notifications\":{\"toolsListChanged\":true},"
                                    + "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":\"l\"}}}",
                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":"
                                    + "{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":\"l\"}}}");
            assertThat(listening.isEnded()).isFalse();
        }

        @Test
        void acknowledgementListsTheGrantedResources() {
            var listening = listen("7", "{\"resourceSubscriptions\":[\"a:1\",\"a:2\",\"a:1\"]}");
            assertThat(bench.calls).hasSize(2);
            assertThat(bench.calls.get(0).request().json()).contains("resources/subscribe", "\"uri\":\"a:1\"");
            assertThat(listening.offered()).isEmpty();

            bench.answer(0, "{}");
            bench.replies.get(1).complete(Outcome.failed(Failure.of(ErrorCode.INVALID_PARAMS, "unknown")));

            assertThat(listening.offered()).hasSize(1);
            assertThat(listening.offered().get(0).json())
                    .contains("\"notifications\":{\"resourceSubscriptions\":[\"a:1\"]}", "subscriptionId\":7");
        }

        @Test
        void streamEndsIfNothingWasGranted() {
            var listening = listen("7", "{\"resourceSubscriptions\":[\"a:1\"]}");

            bench.replies.get(0).complete(Outcome.failed(Failure.of(ErrorCode.INVALID_PARAMS, "unknown")));

            assertThat(listening.offered().get(0).json()).contains("\"notifications\":{}");
            assertThat(listening.answer()).contains("\"id\":7", "\"resultType\":\"complete\"");
        }
    }

    @Nested
    class Notifications {
        @Test
        void onlyRequestedNotificationsAreSent() {
            var tools = listen("1", "{\"toolsListChanged\":true}");
            var prompts = listen("2", "{\"promptsListChanged\":true}");

            bench.clients.send(PROMPTS);

            assertThat(tools.offered()).hasSize(1);
            assertThat(prompts.offered()).hasSize(2);
        }

        @Test
        void clientsOfBothErasAreNotified() {
            var modern = listen("1", "{\"toolsListChanged\":true}");
            var greeted = bench.greeted();
            var legacy = ClientBench.listen(greeted);

            bench.clients.send(TOOLS);

            assertThat(modern.offered()).hasSize(2);
            assertThat(legacy.offered().stream().map(Message::json))
                    .containsExactly("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
        }

        @Test
        void resourceUpdatesReachTheSubscribedStream() {
            var listening = listen("7", "{\"resourceSubscriptions\":[\"a:1\"]}");
            var audience = bench.calls.get(0).caller().notificationSink();
            var update = Notification.of(Methods.RESOURCES_UPDATED, "{\"uri\":\"a:1\",\"_meta\":{\"x\":1}}");
            audience.send(update);
            bench.answer(0, "{}");

            audience.send(update);

            assertThat(listening.offered()).hasSize(2);
            assertThat(listening.offered().get(1).json())
                    .contains("\"uri\":\"a:1\"", "{\"x\":1,\"io.modelcontextprotocol/subscriptionId\":7}");
        }

        @Test
        void disconnectedClientIsNotNotified() {
            var listening = hand(http, overHttp("{\"toolsListChanged\":true}"));

            listening.abandon();
            bench.clients.send(TOOLS);

            assertThat(listening.offered()).hasSize(1);
            assertThat(bench.registry()).noneMatch(record -> record.network().equals("tcp"));
        }
    }

    @Nested
    class Ends {
        @Test
        void cancellationEndsTheStreamWithoutAnAnswer() {
            var listening = listen("1", "{\"toolsListChanged\":true}");

            say(stream, CANCEL.formatted("1"));
            bench.clients.send(TOOLS);

            assertThat(listening.answer()).isEmpty();
            assertThat(listening.offered()).hasSize(1);
        }

        @Test
        void cancellationOverAnotherConnectionIsIgnored() {
            var listening = listen("1", "{\"toolsListChanged\":true}");

            say(bench.stream(), CANCEL.formatted("1"));

            assertThat(listening.isEnded()).isFalse();
        }

        @Test
        void closingTheBridgeEndsStreamsWithAResult() {
            var local = listen("1", "{\"toolsListChanged\":true}");
            var remote = hand(http, overHttp("{\"toolsListChanged\":true}"));

            bench.clients.close(CancelReason.SHUTTING_DOWN);

            for (var listening : new RecordingExchange[] {local, remote}) {
                assertThat(listening.ending().status()).isEqualTo(200);
                assertThat(listening.answer())
                        .contains(
                                "\"resultType\":\"complete\"",
                                "\"io.modelcontextprotocol/subscriptionId\":1",
                                "\"io.modelcontextprotocol/serverInfo\":{");
            }
        }

        @Test
        void subscriptionEndsWithItsConnectionAndNotifiesItsObservers() {
            listen("1", "{\"resourceSubscriptions\":[\"a:1\"]}");
            bench.answer(0, "{}");
            var isGone = new AtomicBoolean();
            bench.calls.get(0).caller().notificationSink().onClosed(() -> isGone.set(true));

            stream.closed();

            assertThat(isGone).isTrue();
        }
    }

    @Nested
    class Refused {
        static Stream<Arguments> wrong() {
            return Stream.of(
                    Arguments.argumentSet("no filter", "", "'notifications' to be an object"),
                    Arguments.argumentSet("a filter that is none", "\"notifications\":[]", "but has []"),
                    Arguments.argumentSet(
                            "a wish that is no boolean", "\"notifications\":{\"toolsListChanged\":1}", "but has 1"),
                    Arguments.argumentSet(
                            "a resource that is no text", "\"notifications\":{\"resourceSubscriptions\":[1]}", "[1]"),
                    Arguments.argumentSet(
                            "too many resources",
                            "\"notifications\":{\"resourceSubscriptions\":[" + resources(257) + "]}",
                            "256 resources at the most"));
        }

        private static String resources(int count) {
            return IntStream.range(0, count)
                    .mapToObj(number -> "\"a:" + number + "\"")
                    .collect(Collectors.joining(","));
        }

        @ParameterizedTest
        @MethodSource("wrong")
        void malformedFilterIsRejected(String params, String words) {
            var refused = say(stream, Modern.request("1", Methods.SUBSCRIPTIONS_LISTEN, params));

            assertThat(refused.ending().status()).isEqualTo(400);
            assertThat(refused.answer()).contains("-32602", words);
        }

        @Test
        void streamBeyondTheLimitPerPrincipalIsRejected() {
            var first = listen("1", "{\"toolsListChanged\":true}");
            hand(http, overHttp("{\"toolsListChanged\":true}"));

            var refused = listen("3", "{\"toolsListChanged\":true}");
            var other = hand(http, overHttp("{\"toolsListChanged\":true}").from(new Principal("bob", "token")));

            assertThat(refused.answer()).contains("-31006", "2 streams", "'limits.subscriptions'");
            assertThat(other.isEnded()).isFalse();
            say(stream, CANCEL.formatted("1"));
            assertThat(first.isEnded()).isTrue();
            assertThat(listen("3", "{\"toolsListChanged\":true}").isEnded()).isFalse();
        }

        @Test
        void requestWithTheIdOfAnOpenStreamIsRejected() {
            listen("1", "{\"toolsListChanged\":true}");

            assertThat(say(stream, Modern.callJson("1")).answer()).contains("-32600", "the id 1 is in use");
        }

        @Test
        void listenRequestOfALegacyClientIsLeftToTheRouter() {
            var greeted = bench.greeted();
            say(greeted, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{}}");

            // It is left to the router, as every method that this era does not have.
            assertThat(bench.calls.get(0).request().method()).isEqualTo(Methods.SUBSCRIPTIONS_LISTEN);
        }
    }

    @Nested
    class Counted {
        @Test
        void streamCountsAsAClientButNotAsACall() {
            hand(http, overHttp("{\"toolsListChanged\":true}"));

            assertThat(bench.clients.callsInFlight()).isZero();
            assertThat(bench.registry())
                    .filteredOn(record -> record.network().equals("tcp"))
                    .singleElement()
                    .satisfies(record -> assertThat(record.era()).isEqualTo("modern"))
                    .satisfies(record -> assertThat(record.callsInFlight()).isZero());
        }
    }

    private RecordingExchange listen(String id, String filter) {
        return say(stream, Modern.request(id, Methods.SUBSCRIPTIONS_LISTEN, "\"notifications\":" + filter));
    }

    private static RecordingExchange overHttp(String filter) {
        var json = Modern.request("1", Methods.SUBSCRIPTIONS_LISTEN, "\"notifications\":" + filter);
        return Modern.withHeaders(json, Methods.SUBSCRIPTIONS_LISTEN);
    }
}
