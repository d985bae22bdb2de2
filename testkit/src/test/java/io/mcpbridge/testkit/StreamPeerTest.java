package io.mcpbridge.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StreamPeerTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final AtomicInteger cuts = new AtomicInteger();

    @Test
    void eachLineIsAnsweredWithALine() {
        run(request(1, EchoScript.ECHO) + "\n\n" + request(2, EchoScript.PIECES) + "\n");

        assertThat(out.toString(UTF_8).split("\n"))
                .containsExactly(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"ü\"}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"text\":\"ü\"}}");
    }

    @Test
    void requestsAndCancellationsAreRemembered() {
        var cancel = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}";

        run(String.join("\n", request(1, EchoScript.HANG), cancel, request(2, EchoScript.SEEN), ""));

        assertThat(out.toString(UTF_8)).contains("{\"came\":[1,2],\"cancelled\":[1]}");
    }

    @Test
    void deathEndsTheConnection() {
        run(request(1, EchoScript.DIE) + "\n");

        assertThat(cuts).hasValue(1);
        assertThat(out.size()).isZero();
    }

    private void run(String input) {
        var in = new ByteArrayInputStream(input.getBytes(UTF_8));
        new StreamPeer(in, out, cuts::incrementAndGet).run(new EchoScript());
    }

    private static String request(int id, String method) {
        return Request.of(MessageId.of(id), method, "{\"text\":\"ü\"}").json();
    }
}
