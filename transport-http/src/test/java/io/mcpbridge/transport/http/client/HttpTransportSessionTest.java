package io.mcpbridge.transport.http.client;

import static io.mcpbridge.transport.http.RawHttpServer.bare;
import static io.mcpbridge.transport.http.RawHttpServer.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.transport.http.RawHttpServer;
import io.mcpbridge.transport.http.RawHttpServer.Heard;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The state that a transport keeps between requests. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpTransportSessionTest {
    private static final String NOTE =
            "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n";

    @Test
    void requestsAfterInitializeCarrySessionAndVersion() throws Exception {
        try (var server = serverWithSession();
                var client = Client.of(server)) {
            client.initialize();
            client.answer(client.send());

            var first = server.heard().get(0);
            var second = server.heard().get(1);
            assertThat(first.header("mcp-session-id")).isEmpty();
            assertThat(first.header("mcp-protocol-version")).isEmpty();
            assertThat(first.header("accept")).isEqualTo("application/json, text/event-stream");
            assertThat(second.header("mcp-session-id")).isEqualTo("s-1");
            assertThat(second.header("mcp-protocol-version")).isEqualTo("2025-11-25");
        }
    }

    @Test
    void sessionIdThatIsNotVisibleAsciiIsRejected() throws Exception {
        try (var server = RawHttpServer.answering(any -> json("Mcp-Session-Id: a b\r\n", result("1")));
                var client = Client.of(server)) {
            var out = client.send(Request.of(MessageId.of(1), Methods.INITIALIZE, "{}"));

            assertThat(client.failure(out).code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
        }
    }

    @Test
    void closeEndsTheSession() throws Exception {
        try (var server = serverWithSession()) {
            try (var client = Client.of(server)) {
                client.initialize();
            }

            var last = server.heard().get(server.heard().size() - 1);
            assertThat(last.method()).isEqualTo("DELETE");
            assertThat(last.header("mcp-session-id")).isEqualTo("s-1");
        }
    }

    @Test
    void deleteCarriesTheCredentials() throws Exception {
        try (var server = serverWithSession()) {
            try (var client = Client.of(server)) {
                client.initialize();
                client.sendWith(MessageHeaders.EMPTY.with("Authorization", "Bearer alice"));
                Client.awaitRequests(server, 2);
            }

            var last = server.heard().get(server.heard().size() - 1);
            assertThat(last.method()).isEqualTo("DELETE");
            assertThat(last.header("authorization")).isEqualTo("Bearer alice");
        }
    }

    @Test
    void closeWithoutASessionSendsNothing() throws Exception {
        try (var server = serverWithSession()) {
            try (var client = Client.of(server)) {
                client.answer(client.send());
            }

            assertThat(server.heard()).extracting(Heard::method).containsExactly("POST");
        }
    }

    @Test
    void closeDoesNotWaitLongForTheDelete() throws Exception {
        try (var server = new RawHttpServer(talk -> {
            for (var next = talk.next(); next.isPresent(); next = talk.next()) {
                if (next.get().method().equals("POST")) {
                    talk.write(json("Mcp-Session-Id: s-1\r\n", result("1")));
                }
            }
        })) {
            var client = Client.of(server);
            client.initialize();
            var before = System.nanoTime();

            client.close();

            assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(5));
            assertThat(client.receiver.closings()).hasSize(1);
        }
    }

    @Test
    void closedTransportsLeaveNothingOpen() throws Exception {
        try (var server = serverWithSession()) {
            used(server);
            var before = LeakCheck.now();

            for (int i = 0; i < 20; i++) {
                used(server);
            }

            before.assertNothingLeft();
        }
    }

    private static void used(RawHttpServer server) throws InterruptedException {
        try (var client = Client.of(server)) {
            client.initialize();
            client.initialized();
            client.answer(client.send());
        }
    }

    @Nested
    class OwnStream {

        @Test
        void notificationStreamOpensAfterInitialized() throws Exception {
            try (var server = serverWithStream(talk -> talk.write(RawHttpServer.stream() + NOTE));
                    var client = Client.of(server)) {
                client.initialize();
                client.initialized();

                var message = Eventually.get(
                        () -> "the notification",
                        () -> client.receiver.messages().stream()
                                .filter(Notification.class::isInstance)
                                .findFirst());
                assertThat(client.receiver.streamOf(message)).isEmpty();
                assertThat(heard(server, "GET").get(0).header("mcp-session-id")).isEqualTo("s-1");
            }
        }

        @Test
        void notificationStreamResumesFromTheLastEventIdAfterTheRetryDelay() throws Exception {
            try (var server = serverWithStream(
                            talk -> talk.write(RawHttpServer.stream() + "id: e-7\nretry: 30\ndata:\n\n"));
                    var client = Client.of(server)) {
                client.initialize();
                client.initialized();

                Eventually.holds("a second GET", () -> heard(server, "GET").size() > 1);
                assertThat(heard(server, "GET").get(0).header("last-event-id")).isEmpty();
                assertThat(heard(server, "GET").get(1).header("last-event-id")).isEqualTo("e-7");
            }
        }

        @Test
        void notificationStreamIsNotRequestedAgainAfter405() throws Exception {
            try (var server = serverWithStream(talk -> talk.write(bare(405, "")));
                    var client = Client.of(server)) {
                client.initialize();
                client.initialized();
                Eventually.holds("a GET", () -> !heard(server, "GET").isEmpty());

                for (int i = 0; i < 20; i++) {
                    client.answer(client.send());
                }

                assertThat(heard(server, "GET")).hasSize(1);
            }
        }

        @Test
        void notificationStreamIsRequestedAgainAfterAServerError() throws Exception {
            try (var server = serverWithStream(talk -> talk.write(bare(503, "")));
                    var client = Client.of(server)) {
                client.initialize();
                client.initialized();

                Eventually.holds("three GETs", () -> heard(server, "GET").size() >= 3);
            }
        }

        @Test
        @DisplayName("F6: a silent notification stream is resumed")
        void silentNotificationStreamIsResumed() throws Exception {
            try (var server = serverWithStream(talk -> {
                        talk.write(RawHttpServer.stream() + "id: e-1\ndata:\n\n");
                        talk.awaitEnd();
                    });
                    var client = Client.of(server, Map.of("stream-timeout", "100ms"))) {
                client.initialize();
                client.initialized();

                Eventually.holds(
                        "a GET that resumes",
                        () -> heard(server, "GET").stream()
                                .anyMatch(get -> get.header("last-event-id").equals("e-1")));
            }
        }

        @Test
        void commentsKeepTheNotificationStreamOpen() throws Exception {
            var clock = new Client.CountingClock();
            try (var server = serverWithStream(talk -> {
                        talk.write(RawHttpServer.stream());
                        talk.dribble(": alive\n\n");
                    });
                    var client = Client.of(server, Map.of("stream-timeout", "2s"), clock)) {
                client.initialize();
                client.initialized();
                Eventually.holds("a GET", () -> !heard(server, "GET").isEmpty());

                for (int i = 0; i < 20; i++) {
                    clock.advanceAfterBytes(Duration.ofMillis(500));
                }

                client.answer(client.send());
                assertThat(heard(server, "GET")).hasSize(1);
            }
        }

        @Test
        void malformedEventIsReportedAndTheStreamContinues() throws Exception {
            try (var server = serverWithStream(
                            talk -> talk.write(RawHttpServer.stream() + "data: {nonsense\n\n" + NOTE));
                    var client = Client.of(server)) {
                client.initialize();
                client.initialized();

                Eventually.holds(
                        "the notification",
                        () -> client.receiver.messages().stream().anyMatch(Notification.class::isInstance));
                assertThat(client.receiver.signals())
                        .anyMatch(io.mcpbridge.testkit.RecordingReceiver.Signal.Unreadable.class::isInstance);
            }
        }
    }

    @Nested
    class BrokenStream {
        private static final String PROGRESS = "id: %s\n"
                + "data:"
                + " {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":%d}}\n\n";

        @Test
        @DisplayName("F4: a broken stream is resumed after its last event, and nothing arrives twice")
        void brokenStreamResumesWithoutDuplicates() throws Exception {
            try (var server = resuming(
                            RawHttpServer.stream() + PROGRESS.formatted("e-1", 1) + PROGRESS.formatted("e-2", 2),
                            RawHttpServer.stream() + PROGRESS.formatted("e-2", 2) + PROGRESS.formatted("e-3", 3)
                                    + "id: e-4\ndata: " + result("1") + "\n\n");
                    var client = Client.of(server)) {
                client.answer(client.send());

                assertThat(client.receiver.messages()).hasSize(4);
                assertThat(heard(server, "POST")).hasSize(1);
                assertThat(heard(server, "GET").get(0).header("last-event-id")).isEqualTo("e-2");
            }
        }

        @Test
        void streamClosedOnPurposeIsPolled() throws Exception {
            var polls = new AtomicInteger();
            try (var server = new RawHttpServer(talk -> {
                        var request = talk.next().orElseThrow();
                        var primed = RawHttpServer.stream() + "id: p-" + polls.get() + "\nretry: 15\ndata:\n\n";
                        boolean isOver = request.method().equals("GET") && polls.incrementAndGet() == 10;
                        talk.write(isOver ? primed + "data: " + result("1") + "\n\n" : primed);
                    });
                    var client = Client.of(server)) {
                client.answer(client.send());

                assertThat(heard(server, "GET")).hasSize(10);
                assertThat(heard(server, "POST")).hasSize(1);
            }
        }

        @Test
        @DisplayName("F4: a broken stream without event ids is unknown")
        void brokenStreamWithoutEventIdsIsUnknown() throws Exception {
            try (var server = resuming(RawHttpServer.stream() + NOTE, bare(500, ""));
                    var client = Client.of(server)) {
                var failure = client.failure(client.send());

                assertThat(failure.delivery()).isEqualTo(io.mcpbridge.failure.Delivery.UNKNOWN);
                assertThat(heard(server, "GET")).isEmpty();
            }
        }

        @Test
        void brokenStreamThatCannotBeResumedIsUnknown() throws Exception {
            try (var server = resuming(RawHttpServer.stream() + PROGRESS.formatted("e-1", 1), bare(405, ""));
                    var client = Client.of(server)) {
                var failure = client.failure(client.send());

                assertThat(failure.delivery()).isEqualTo(io.mcpbridge.failure.Delivery.UNKNOWN);
                assertThat(heard(server, "GET")).hasSize(1);
            }
        }

        @Test
        void brokenStreamFailsAfterTooManyAttempts() throws Exception {
            try (var server = resuming(RawHttpServer.stream() + PROGRESS.formatted("e-1", 1), bare(503, ""));
                    var client = Client.of(server, Map.of("reconnect-delay", "1ms"))) {
                assertThat(client.failure(client.send()).delivery()).isEqualTo(io.mcpbridge.failure.Delivery.UNKNOWN);
            }
        }

        @Test
        @DisplayName("F5: a broken stream is not resumed in the modern era")
        void brokenStreamIsNotResumedInTheModernEra() throws Exception {
            try (var server = resuming(RawHttpServer.stream() + PROGRESS.formatted("e-1", 1), bare(500, ""));
                    var client = Client.of(server).speaking(ProtocolVersion.V2026_07_28)) {
                assertThat(client.failure(client.send()).delivery()).isEqualTo(io.mcpbridge.failure.Delivery.UNKNOWN);
                assertThat(heard(server, "GET")).isEmpty();
            }
        }

        private RawHttpServer resuming(String toPost, String toGet) throws IOException {
            return new RawHttpServer(talk -> {
                var request = talk.next().orElseThrow();
                talk.write(request.method().equals("POST") ? toPost : toGet);
            });
        }
    }

    @Nested
    class Abandoning {

        @Test
        void abandonedLegacyRequestIsCancelledAndItsStreamClosed() throws Exception {
            var ended = new AtomicInteger();
            try (var server = hanging(ended);
                    var client = Client.of(server)) {
                var out = client.send();
                Client.awaitRequests(server, 1);

                assertThat(client.transport.abandon(out, "not needed")).isFalse();

                Client.awaitRequests(server, 2);
                Eventually.holds("the stream to end", () -> ended.get() == 1);
                assertThat(server.heard().get(1).body())
                        .contains("notifications/cancelled", "\"requestId\":1", "not needed");
                assertThat(client.receiver.failure(out)).isEmpty();
            }
        }

        @Test
        void abandonedModernRequestClosesItsStreamOnly() throws Exception {
            var ended = new AtomicInteger();
            try (var server = hanging(ended);
                    var client = Client.of(server).speaking(ProtocolVersion.V2026_07_28)) {
                var out = client.send();
                Client.awaitRequests(server, 1);

                client.transport.abandon(out, "not needed");

                Eventually.holds("the stream to end", () -> ended.get() == 1);
                assertThat(server.heard()).hasSize(1);
            }
        }

        @Test
        void abandonedRequestThatWaitsForAConnectionIsNotSent() throws Exception {
            try (var server = hanging(new AtomicInteger());
                    var client = Client.of(server, Map.of("connections", 1))) {
                var first = client.send();
                Client.awaitRequests(server, 1);
                var second = client.send();

                var isTakenBack = client.transport.abandon(second, "not needed");
                client.transport.abandon(first, "not needed either");

                assertThat(isTakenBack).isTrue();
                Client.awaitRequests(server, 2);
                assertThat(client.receiver.isWritten(second)).isFalse();
                assertThat(server.heard()).noneMatch(each -> each.body().contains("\"id\":2"));
            }
        }

        private RawHttpServer hanging(AtomicInteger ended) throws IOException {
            return new RawHttpServer(talk -> {
                var request = talk.next().orElseThrow();
                if (request.body().contains("cancelled")) {
                    talk.write(bare(202, ""));
                    return;
                }
                talk.awaitEnd();
                ended.incrementAndGet();
            });
        }
    }

    private static List<Heard> heard(RawHttpServer server, String method) {
        return server.heard().stream()
                .filter(each -> each.method().equals(method))
                .toList();
    }

    private static String json(String headers, String body) {
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s"
                .formatted(headers, body.length(), body);
    }

    private static RawHttpServer serverWithSession() throws IOException {
        return serverWithStream(talk -> talk.write(bare(405, "")));
    }

    /** Answers requests, accepts notifications, and plays the script when a stream is requested. */
    private static RawHttpServer serverWithStream(RawHttpServer.Play onGet) throws IOException {
        return new RawHttpServer(talk -> {
            for (var next = talk.next(); next.isPresent(); next = talk.next()) {
                var request = next.get();
                if (request.method().equals("GET")) {
                    onGet.play(talk);
                    return;
                }
                var id = request.body().replaceAll(".*\"id\":(\\d+).*", "$1");
                boolean isRequest = request.body().contains("\"id\"");
                talk.write(isRequest ? json("Mcp-Session-Id: s-1\r\n", result(id)) : bare(202, ""));
            }
        });
    }
}
