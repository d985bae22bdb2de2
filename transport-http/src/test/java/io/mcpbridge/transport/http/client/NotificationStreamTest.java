package io.mcpbridge.transport.http.client;

import static io.mcpbridge.transport.http.RawHttpServer.bare;
import static io.mcpbridge.transport.http.RawHttpServer.json;
import static io.mcpbridge.transport.http.RawHttpServer.stream;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.transport.http.RawHttpServer;
import io.mcpbridge.transport.http.RawHttpServer.Heard;
import io.mcpbridge.transport.http.RawHttpServer.Talk;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A subscription over HTTP is opened again, however its stream of {@code subscriptions/listen} ends. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class NotificationStreamTest {
    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
    private static final String DISCOVERED = """
        {"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],\
        "capabilities":{"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private"}}\
        """;
    private static final String ACKNOWLEDGED = """
        data: {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":\
        {"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":%s}}}

        """;
    private static final String RESULT = """
        data: {"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete"}}

        """;
    private static final String CANCELLED = """
        data: {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}

        """;

    /** What the server does with a stream that it has acknowledged, before it ends the connection. */
    private interface Ending {
        void end(Talk talk, String id) throws IOException;
    }

    @Test
    void streamIsReopenedAfterAResult() throws Exception {
        listensAgainAfter((talk, id) -> talk.write(RESULT.formatted(id)));
    }

    @Test
    void streamIsReopenedAfterACancellation() throws Exception {
        listensAgainAfter((talk, id) -> talk.write(CANCELLED.formatted(id)));
    }

    @Test
    void streamIsReopenedAfterASilentEnd() throws Exception {
        listensAgainAfter((talk, id) -> {});
    }

    @Test
    void streamIsReopenedAfterAReset() throws Exception {
        listensAgainAfter((talk, id) -> talk.reset());
    }

    private static void listensAgainAfter(Ending ending) throws Exception {
        var listens = new AtomicInteger();
        try (var server = new RawHttpServer(talk -> play(talk, ending, listens));
                var connection = Connection.to(
                        server.url(),
                        ConnectionOptions.DEFAULTS.withRetryPolicy("none").withoutSchemaCheck())) {
            Eventually.holds(
                    () -> "two listenings; heard were " + server.heard(),
                    () -> listens(server).size() >= 2);

            assertThat(listens(server))
                    .allSatisfy(heard -> assertThat(heard.body()).contains("\"toolsListChanged\":true"));
            assertThat(connection.status().connections()).isEqualTo(1);
        }
    }

    private static void play(Talk talk, Ending ending, AtomicInteger listens) throws IOException {
        for (var request = talk.next(); request.isPresent(); request = talk.next()) {
            var id = id(request.get());
            if (!isListen(request.get())) {
                talk.write(id.isEmpty() ? bare(202, "") : json(200, DISCOVERED.formatted(id)));
                continue;
            }
            talk.write(stream() + ACKNOWLEDGED.formatted(id));
            if (listens.incrementAndGet() == 1) {
                ending.end(talk, id);
            } else {
                talk.awaitEnd();
            }
            return;
        }
    }

    private static List<Heard> listens(RawHttpServer server) {
        return server.heard().stream().filter(NotificationStreamTest::isListen).toList();
    }

    private static boolean isListen(Heard heard) {
        return heard.body().contains("\"subscriptions/listen\"");
    }

    private static String id(Heard heard) {
        var id = ID.matcher(heard.body());
        return id.find() ? id.group(1) : "";
    }
}
