package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageField;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Methods that the specification does not know reach a server that lists them. */
class ExtensionMethodsTest {
    private final ManyServers one = servers("a");
    private final ManyServers two = servers("a", "b");

    private static ManyServers servers(String... names) {
        var servers = new ManyServers(ToolNaming.PREFIX);
        for (var name : names) {
            servers.add(
                    name,
                    ManyServers.EVERYTHING,
                    Map.of("keep-alive", "0s", "extensions", List.of("acme/frobnicate", "acme/only-" + name)));
        }
        return servers;
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    @Test
    void extensionRequestIsForwardedUnchanged() {
        var reply = one.send("acme/frobnicate", "{\"name\":\"b__x\",\"n\":1.50}");

        assertThat(one.server("a").last().message().json())
                .contains("\"method\":\"acme/frobnicate\"", "{\"name\":\"b__x\",\"n\":1.50}");
        one.answer("a", "{\"n\":1e400}");
        assertThat(reply.awaitAnswer().raw(MessageField.RESULT)).contains("{\"n\":1e400}");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "acme/Frobnicate",
                "acme/frobnicate ",
                " acme/frobnicate",
                "acme/frobnicate\u0000",
                "acme/frobnicat",
                "Tools/Call",
                "tools/call ",
                "tools/call\u0000"
            })
    void extensionMethodThatNoServerListsIsRejected(String method) {
        var failure = one.ask(method, "{\"name\":\"a__x\"}").awaitFailure();

        assertThat(failure.code()).isEqualTo(ErrorCode.METHOD_NOT_FOUND);
        assertThat(failure.message()).endsWith("no server has it in 'extensions'");
        assertThat(one.server("a").requests()).isEmpty();
    }

    @Test
    void extensionMethodGoesToTheOnlyServerThatListsIt() {
        two.send("acme/only-b", "{\"n\":1.50}");

        assertThat(two.server("b").last().message().raw(MessageField.PARAMS)).contains("{\"n\":1.50}");
        assertThat(two.ask("acme/only-b", "{\"name\":\"a__x\"}").isDone()).isFalse();
        assertThat(two.server("a").requests()).isEmpty();
    }

    @Test
    void prefixOfTheNameSelectsTheServer() {
        two.send("acme/frobnicate", "{\"name\":\"b__x\"}");

        assertThat(two.server("b").last().message().raw(MessageField.PARAMS)).contains("{\"name\":\"x\"}");
    }

    @Test
    void resourceUriSelectsTheServer() {
        two.lists("b", ListKind.RESOURCES, "repo://x");

        two.ask("acme/frobnicate", "{\"uri\":\"repo://x\"}");

        assertThat(two.server("b").last().message().json()).contains("\"method\":\"acme/frobnicate\"");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"{}", "{\"name\":\"x\"}", "{\"name\":\"c__x\"}", "{\"uri\":\"nobodys:x\"}"})
    void ambiguousExtensionRequestIsRejected(String params) {
        var failure = two.ask("acme/frobnicate", params).awaitFailure();

        assertThat(failure.code()).isEqualTo(ErrorCode.METHOD_NOT_FOUND);
        assertThat(failure.message()).startsWith("unknown method 'acme/frobnicate': ");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"tasks/get", "tasks/list", "tasks/result", "tasks/cancel", "tasks/update"})
    void taskMethodsAreRejectedWithAnExplanation(String method) {
        var failure = one.send(method, "{\"taskId\":\"1\"}").awaitFailure();

        assertThat(failure.code()).isEqualTo(ErrorCode.METHOD_NOT_FOUND);
        assertThat(failure.message()).contains("the bridge offers no tasks");
        assertThat(one.server("a").requests()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"sampling/createMessage", "roots/list", "initialize", "subscriptions/listen"})
    void specifiedMethodsAreNotTreatedAsExtensions(String method) {
        assertThat(one.send(method, "{}").awaitFailure().code()).isEqualTo(ErrorCode.METHOD_NOT_FOUND);
        assertThat(one.server("a").requests()).isEmpty();
    }
}
