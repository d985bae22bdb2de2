package io.mcpbridge.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.testkit.RecordingAcceptor;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several messages in one line of standard input. */
@Timeout(60)
class StdioBatchTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}";

    private final Fixture fixture = new Fixture();
    private final RecordingAcceptor acceptor = RecordingAcceptor.takingAll();
    private final Pipe toListener = Pipe.open();
    private final Pipe toClient = Pipe.open();
    private final StdioListener listener = new StdioListener(
            StdioListenerSettings.DEFAULTS,
            fixture.environment,
            Channels.newInputStream(toListener.source()),
            Channels.newOutputStream(toClient.sink()));
    private final LineClient client =
            new LineClient(Channels.newInputStream(toClient.source()), Channels.newOutputStream(toListener.sink()));

    StdioBatchTest() throws IOException {}

    @BeforeEach
    void start() {
        listener.start(acceptor);
    }

    @AfterEach
    void close() {
        client.close();
        listener.close();
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, Message.MAX_BATCH})
    void batchIsDeliveredMessageByMessageIfAccepted(int count) throws IOException {
        acceptor.takesBatches(true);

        client.send(pings(count));

        for (int id = 1; id <= count; id++) {
            answerNext(id);
        }
    }

    @ParameterizedTest(name = "{0} where taken: {1}")
    @CsvSource({"101,true", "100000,true", "1,false", "100,false", "101,false", "100000,false"})
    void unacceptedOrOversizedBatchIsRejectedAsAWhole(int count, boolean isTaken) throws IOException {
        acceptor.takesBatches(isTaken);

        client.send(pings(count));
        client.send(PING.formatted(7));

        assertThat(client.receive()).contains("-32600").doesNotContain("\"id\"");
        answerNext(7);
    }

    /** What is handed over next has this id; its answer reaches the client. */
    private void answerNext(int id) throws IOException {
        var exchange = acceptor.awaitMessage();
        assertThat(((Request) exchange.message().orElseThrow()).id()).isEqualTo(MessageId.of(id));
        exchange.end(Ending.answer(Response.result(MessageId.of(id), "{}")));
        assertThat(client.receive()).contains("\"id\":" + id + ",");
    }

    private static String pings(int count) {
        return count > 1_000
                ? "[" + "1,".repeat(count - 1) + "1]"
                : IntStream.rangeClosed(1, count).mapToObj(PING::formatted).collect(Collectors.joining(",", "[", "]"));
    }
}
