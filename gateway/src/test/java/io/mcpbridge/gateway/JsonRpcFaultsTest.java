package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.Script;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows B1 to B10 of the faults: clients and servers that break JSON-RPC, with a daemon between them. */
@Timeout(60)
class JsonRpcFaultsTest {
    private static final String CALL =
            "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"tools/call\",\"params\":{\"name\":\"one__%s\",\"arguments\":{\"n\":%s}}}\n";

    private final ToolScript script = new ToolScript("one", "echo", "hang", "twice", "stranger");
    private final DaemonFixture fixture;
    private LineClient client;

    JsonRpcFaultsTest() throws IOException {
        fixture = new DaemonFixture();
    }

    @BeforeEach
    void start() throws IOException {
        fixture.unix("one", new Odd(script));
        // With two of them no method that is not known can be meant for the only one.
        fixture.unix("two", new ToolScript("two", "echo"));
        fixture.start();
        client = fixture.client("alice");
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "1.5", "{}", "[1]", "true", "1e400"})
    void b1InvalidIdIsRejectedAndTheConnectionContinues(String id) {
        client.send(CALL.formatted(id, "echo", "1"));

        assertThat(refusal().raw(MessageField.ERROR_CODE)).contains("-32600");
        assertThat(refusal().id()).isEmpty();
        assertThat(client.call("one__echo", "{}").isError()).isFalse();
        assertThat(script.calls()).containsExactly("echo");
    }

    @Test
    void b1OverlongIdIsRejected() {
        client.send(CALL.formatted("\"" + "x".repeat(100_000) + "\"", "echo", "1"));

        assertThat(refusal().raw(MessageField.ERROR_CODE)).contains("-32600");
        assertThat(script.calls()).isEmpty();
    }

    @Test
    void b2IdInUseIsRejectedAndItsFirstCallIsUnaffected() {
        client.send(CALL.formatted("77", "hang", "1"));
        Eventually.holds("the call to hang", () -> script.hanging() == 1);

        client.send(CALL.formatted("77", "echo", "2"));
        var second = client.answer(MessageId.of(77));

        assertThat(second.raw(MessageField.ERROR_CODE)).contains("-32600");
        client.forget(MessageId.of(77));
        script.answerAll();
        assertThat(client.answer(MessageId.of(77)).raw(MessageField.STRUCTURED_CONTENT))
                .contains("{\"n\":1}");
        assertThat(script.calls()).containsExactly("hang");
    }

    @Test
    void b3IdMayBeReusedAfterTheAnswer() {
        for (int i = 0; i < 1_000; i++) {
            client.send(CALL.formatted("5", "echo", i));

            assertThat(client.answer(MessageId.of(5)).raw(MessageField.STRUCTURED_CONTENT))
                    .contains("{\"n\":" + i + "}");
            client.forget(MessageId.of(5));
        }
    }

    @Test
    void b4NumericAndTextIdsAreDistinct() {
        client.send(CALL.formatted("\"31\"", "hang", "1"));
        client.send(CALL.formatted("31", "hang", "2"));
        Eventually.holds("both to hang", () -> script.hanging() == 2);

        script.answerAll();

        var text = client.answer(MessageId.of("31"));
        var number = client.answer(MessageId.of(31));
        assertThat(text.raw(MessageField.STRUCTURED_CONTENT)).contains("{\"n\":1}");
        assertThat(number.raw(MessageField.STRUCTURED_CONTENT)).contains("{\"n\":2}");
        assertThat(text.json()).contains("\"id\":\"31\"");
        assertThat(number.json()).contains("\"id\":31,");
    }

    @Test
    void b5UnsolicitedResponseIsDroppedAndCounted() {
        var answer = client.call("one__stranger", "{\"n\":1}");

        assertThat(answer.raw(MessageField.STRUCTURED_CONTENT)).contains("{\"n\":1}");
        assertThat(client.others()).isEmpty();
        assertThat(dropped()).isEqualTo(1);
    }

    @Test
    void b6SecondAnswerIsDropped() {
        var answer = client.call("one__twice", "{}");

        assertThat(answer.raw(MessageField.STRUCTURED_CONTENT)).contains("{\"time\":1}");
        Eventually.holds("the second to be dropped", () -> dropped() == 1);
        assertThat(client.others()).isEmpty();
    }

    @Test
    void b7AnswerAfterTheCancellationIsDropped() {
        var id = client.callLater("one__hang", "{}");
        Eventually.holds("the call to hang", () -> script.hanging() == 1);
        client.cancel(id);
        Eventually.holds(
                "the server to receive the cancellation",
                () -> script.cancelled().size() == 1);

        script.answerAll();

        assertThat(client.call("one__echo", "{}").isError()).isFalse();
        assertThat(client.hasAnswer(id)).isFalse();
        assertThat(client.others()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"both, '\"result\":{},\"error\":{\"code\":-1,\"message\":\"no\"}'", "neither, '\"x\":1'"})
    void b8AnswerWithBothOrNeitherOfResultAndErrorIsAProtocolError(String name, String members) throws IOException {
        try (var other = new DaemonFixture()) {
            var path = other.folder.resolve("odd.sock");
            other.closeLater(new BrokenAnswers(path, new ToolScript("odd", "echo"), members));
            other.server("odd", "{\"path\": \"%s\"}".formatted(path)).start();

            var answer = other.client("alice").call("odd__echo", "{}");

            assertThat(answer.raw(MessageField.ERROR_CODE)).contains("-31010");
            assertThat(answer.json()).contains("\"origin\":\"mcp-bridge\"", "\"reason\":\"upstream_invalid\"");
        }
    }

    @Test
    void b9UnsupportedBatchIsRejectedAsAWhole() {
        client.send("[" + CALL.formatted("1", "echo", "1").strip() + "]\n");

        assertThat(refusal().raw(MessageField.ERROR_CODE)).contains("-32600");
        assertThat(client.call("one__echo", "{}").isError()).isFalse();
        assertThat(script.calls()).containsExactly("echo");
    }

    @Test
    void b10UnknownMethodIsRejected() {
        var answer = client.answer(client.request("explode", "{}"));

        assertThat(answer.raw(MessageField.ERROR_CODE)).contains("-32601");
        assertThat(script.calls()).isEmpty();
    }

    /** What came without an id. */
    private Response refusal() {
        return Eventually.get(
                () -> "a refusal",
                () -> client.others().stream()
                        .filter(Response.class::isInstance)
                        .map(Response.class::cast)
                        .findFirst());
    }

    private long dropped() {
        return fixture.running().servers().get(0).dropped();
    }

    /** A server that violates JSON-RPC as the tool requests. */
    private record Odd(ToolScript others) implements Script {

        @Override
        public void received(Message message, Wire wire) {
            if (!(message instanceof Request request) || !request.method().equals(Methods.TOOLS_CALL)) {
                others.received(message, wire);
                return;
            }
            switch (request.text(MessageField.NAME).orElse("")) {
                case "stranger" -> {
                    wire.send(Response.result(MessageId.of("unsolicited"), "{\"content\":[]}"));
                    others.received(message, wire);
                }
                case "twice" -> {
                    wire.send(answer(request, "\"structuredContent\":{\"time\":1}}"));
                    wire.send(answer(request, "\"structuredContent\":{\"time\":2}}"));
                }
                default -> others.received(message, wire);
            }
        }

        private static Response answer(Request request, String rest) {
            return Response.result(request.id(), "{\"content\":[]," + rest);
        }
    }
}
