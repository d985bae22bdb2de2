package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Script;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages pass byte for byte in both directions; with a fixed random seed. */
@Timeout(60)
class ByteForByteTest {
    private static final int ROUNDS = 100;

    /** JSON that a bridge with message trees would write differently. */
    private static final List<String> ODD = List.of(
            "1e400",
            "-1.50E+007",
            "5.0",
            "-0",
            "123456789012345678901234567890",
            "9".repeat(10_000),
            "\"\\u0041\\/\\ud83d\\ude00\"",
            "\"\u20ac \ud83d\ude00 \u2028\"",
            "\"\\ud800\"",
            "{\"a\":1,\"a\":2}",
            "[ 1 ,\t2 ]",
            "{ }",
            "null");

    private final Random random = new Random(20_261_122);
    private final DaemonFixture fixture;

    ByteForByteTest() throws Exception {
        fixture = new DaemonFixture();
    }

    @BeforeEach
    void start() throws Exception {
        fixture.http("web", new Mirror());
        fixture.unix("tool", new Mirror());
        fixture.start();
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @ParameterizedTest
    @DisplayName("A8, A14: only the tool name changes over a Unix socket")
    @ValueSource(strings = {"web", "tool"})
    void onlyTheToolNameChangesOverAUnixSocket(String server) throws Exception {
        var client = fixture.client("one");

        for (int i = 0; i < ROUNDS; i++) {
            var members = members();
            var id = MessageId.of("odd-" + i);
            client.send(Request.of(id, Methods.TOOLS_CALL, params(server + "__echo", members)));

            assertThat(client.answer(id).json()).contains(mirrored(members));
        }
    }

    @ParameterizedTest
    @DisplayName("A8, A14: only the tool name changes over HTTP")
    @ValueSource(strings = {"web", "tool"})
    void onlyTheToolNameChangesOverHttp(String server) throws Exception {
        var client = HttpTestClient.initialized(fixture.httpAddress());

        for (int i = 0; i < ROUNDS; i++) {
            var members = members();

            assertThat(client.exchange(i, Methods.TOOLS_CALL, params(server + "__echo", members)))
                    .contains(mirrored(members));
        }
    }

    private static String params(String tool, List<String> members) {
        return "{" + String.join(" , ", members).replace("NAME", tool) + "}";
    }

    private static String mirrored(List<String> members) {
        return "\"mirrored\":" + params("echo", members) + "}";
    }

    /** Members of params in random order, with an unknown one. */
    private List<String> members() {
        var members = new ArrayList<>(List.of(
                "\"name\" : \"NAME\"",
                "\"arg\\u0075ments\":{\"one\": " + odd() + ", \"\\u006fther\":" + odd() + "}",
                "\"x-vendor\" :" + odd()));
        Collections.shuffle(members, random);
        return members;
    }

    private String odd() {
        return ODD.get(random.nextInt(ODD.size()));
    }

    /** Returns the params of a call. */
    private static final class Mirror implements Script {
        private final ToolScript others = new ToolScript("mirror", "echo");

        @Override
        public void received(Message message, Wire wire) {
            if (message instanceof Request request && request.method().equals(Methods.TOOLS_CALL)) {
                var params = request.raw(MessageField.PARAMS).orElse("none");
                wire.send(Response.result(request.id(), "{\"content\":[],\"mirrored\":" + params + "}"));
            } else {
                others.received(message, wire);
            }
        }
    }
}
