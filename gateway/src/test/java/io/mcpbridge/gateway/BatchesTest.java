package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches: accepted up to a limit with revision 2025-03-26, else rejected. */
@Timeout(60)
class BatchesTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}";
    private static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
            + "{\"protocolVersion\":\"%s\",\"capabilities\":{},\"clientInfo\":{\"name\":\"b\",\"version\":\"1\"}}}";
    private static final String WITH_BATCHES = "2025-03-26";

    private final DaemonFixture fixture;

    BatchesTest() throws IOException {
        fixture = new DaemonFixture();
    }

    @BeforeEach
    void start() throws IOException {
        fixture.unix("tool", new ToolScript("tool", "echo"));
        fixture.start();
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, Message.MAX_BATCH})
    void batchIsAnsweredOverAUnixSocket(int count) throws IOException {
        var client = greeted(WITH_BATCHES);

        client.send(pings(count) + "\n");

        for (int id = 1; id <= count; id++) {
            assertThat(client.answer(MessageId.of(id)).isError()).isFalse();
        }
        assertThat(client.others()).isEmpty();
    }

    @ParameterizedTest(name = "{1} in {0}")
    @CsvSource({
        "2025-03-26,101",
        "2025-03-26,100000",
        "2025-06-18,1",
        "2025-06-18,100",
        "2025-11-25,1",
        "2025-11-25,101",
        "2025-11-25,100000",
        "2024-11-05,1"
    })
    void unsupportedBatchIsRejectedAsAWholeOverAUnixSocket(String revision, int count) throws IOException {
        var client = greeted(revision);

        client.send(pings(count) + "\n");
        client.send(PING.formatted(0xBEEF) + "\n");

        assertThat(client.answer(MessageId.of(0xBEEF)).isError()).isFalse();
        assertThat(client.others()).hasSize(1);
        var refusal = (Response) client.others().get(0);
        assertThat(refusal.raw(MessageField.ERROR_CODE)).contains("-32600");
        assertThat(refusal.id()).isEmpty();
        assertThat(client.hasAnswer(MessageId.of(1))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, Message.MAX_BATCH})
    void batchBeyondTheMessageSizeIsRejected(int count) throws IOException {
        var client = greeted(WITH_BATCHES);
        var filler = " ".repeat((4 << 20) / count + 1);

        client.send(pings(count).replace(",{", "," + filler + "{") + filler + "\n");

        Eventually.holds("the refusal", () -> !client.others().isEmpty());
        assertThat(((Response) client.others().get(0))
                        .text(MessageField.ERROR_MESSAGE)
                        .orElse(""))
                .contains("too_large");
        assertThat(client.hasAnswer(MessageId.of(1))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, Message.MAX_BATCH})
    void batchIsAnsweredOverHttp(int count) throws IOException {
        var answers = post(session(WITH_BATCHES), pings(count));

        assertThat(answers).startsWith("HTTP/1.1 200").doesNotContain("\"error\"");
        for (int id = 1; id <= count; id++) {
            assertThat(answers).contains("\"id\":" + id + ",");
        }
    }

    @ParameterizedTest(name = "{1} in {0}")
    @CsvSource({
        "2025-03-26,101",
        "2025-03-26,100000",
        "2025-06-18,1",
        "2025-06-18,100",
        "2025-11-25,1",
        "2025-11-25,101",
        "2025-11-25,100000"
    })
    void unsupportedBatchIsRejectedAsAWholeOverHttp(String revision, int count) throws IOException {
        var session = session(revision);

        assertThat(post(session, pings(count))).startsWith("HTTP/1.1 400").contains("-32600");

        assertThat(post(session, PING.formatted(7))).startsWith("HTTP/1.1 200").contains("\"id\":7");
    }

    private LineClient greeted(String revision) throws IOException {
        var client =
                fixture.closeLater(LineClient.connect(fixture.unixAddress())).listen();
        client.send(INITIALIZE.formatted(revision) + "\n");
        client.answer(MessageId.of(0));
        return client;
    }

    private String session(String revision) throws IOException {
        var answer = post("", INITIALIZE.formatted(revision));
        var header = Pattern.compile("(?i)mcp-session-id: (\\S+)").matcher(answer);
        assertThat(header.find()).as(answer).isTrue();
        return "Mcp-Session-Id: " + header.group(1) + "\r\n";
    }

    private String post(String headers, String body) throws IOException {
        try (var http = RawHttp.post(fixture.httpAddress(), headers, body)) {
            return http.all();
        }
    }

    /** A batch of pings; large batches use the shortest form to stay below the message limit. */
    private static String pings(int count) {
        return count > 1_000
                ? "[" + "1,".repeat(count - 1) + "1]"
                : IntStream.rangeClosed(1, count).mapToObj(PING::formatted).collect(Collectors.joining(",", "[", "]"));
    }
}
