package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.HeldTransport;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import io.mcpbridge.testkit.ScriptedServer;
import io.mcpbridge.tool.ToolResult;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Java program can be asked by its servers, and asks them for more than tools. */
@Timeout(60)
class FrontDoorQuestionsTest {
    private final ScriptedServer server = new ScriptedServer();

    @BeforeEach
    void shakeHands() {
        server.on(
                Methods.INITIALIZE,
                HeldTransport.WELCOME.replace("{\"tools\":{}}", "{\"tools\":{},\"prompts\":{},\"resources\":{}}"));
    }

    @Test
    void whatThereAreHandlersForIsDeclared() throws InterruptedException {
        var options = options()
                .withSamplingHandler(question -> "{}")
                .withElicitationHandler(question -> "{}")
                .withRootsHandler(question -> "{\"roots\":[]}");

        try (var connection = Connection.to(URI.create("memory:here"), options)) {
            assertThat(connection.uri().getScheme()).isEqualTo("memory");
            assertThat(server.received().get(1).json())
                    .contains("\"capabilities\":{\"elicitation\":{\"form\":{}},\"roots\":{},\"sampling\":{}}");
        }
    }

    @Test
    void aHandlerAnswersAndMayWait() throws Exception {
        var mayAnswer = new CountDownLatch(1);
        var options = options().withElicitationHandler(question -> {
            assertThat(mayAnswer.await(30, TimeUnit.SECONDS)).isTrue();
            return "{\"action\":\"accept\",\"content\":%s}".formatted(question.params());
        });

        try (var connection = Connection.to(URI.create("memory:here"), options)) {
            var call = begin(connection);
            ask(server.awaitRequest(), "{\"message\":\"sure?\"}");
            mayAnswer.countDown();

            assertThat(answer().json()).contains("\"id\":\"q\"", "accept", "sure?");
            call.cancel(true);
        }
    }

    @Test
    void aHandlerThatFailsHasNoAnswerAndItsWordsDoNotReachTheServer() throws InterruptedException {
        var options = options().withElicitationHandler(question -> {
            throw new IllegalStateException("nobody is here");
        });

        try (var connection = Connection.to(URI.create("memory:here"), options)) {
            var unused = begin(connection);
            ask(server.awaitRequest(), "{}");

            assertThat(answer().json())
                    .contains("\"error\"", "-32603", "the client has no answer")
                    .doesNotContain("nobody is here", "IllegalState");
        }
    }

    @Test
    void whoeverHasNoHandlerCannotBeAsked() throws InterruptedException {
        try (var connection = Connection.to(URI.create("memory:here"), options())) {
            var unused = begin(connection);
            ask(server.awaitRequest(), "{}");

            assertThat(answer().json()).contains("-32601", "has no handler");
        }
    }

    @Test
    void aHandlerIsInterruptedWhenTheCallEnds() throws Exception {
        var begun = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        var options = options().withElicitationHandler(question -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
                return "{}";
            } catch (InterruptedException ended) {
                interrupted.countDown();
                throw ended;
            }
        });

        try (var connection = Connection.to(URI.create("memory:here"), options)) {
            var call = begin(connection);
            ask(server.awaitRequest(), "{}");
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

            call.cancel(true);

            assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void resourcesAndPromptsAreListedReadAndFilledIn() throws InterruptedException {
        server.on(Methods.RESOURCES_LIST, "{\"resources\":[{\"uri\":\"file:///a\",\"name\":\"a\"}]}")
                .on(Methods.RESOURCES_READ, "{\"contents\":[{\"uri\":\"file:///a\",\"text\":\"1.10\"}]}")
                .on(Methods.PROMPTS_LIST, "{\"prompts\":[{\"name\":\"review\"}]}")
                .on(Methods.PROMPTS_GET, "{\"messages\":[]}")
                .on(Methods.COMPLETION_COMPLETE, "{\"completion\":{\"values\":[\"java\"]}}");

        try (var connection = Connection.to(URI.create("memory:here"), options())) {
            assertThat(connection.server().listResources()).containsExactly("{\"uri\":\"file:///a\",\"name\":\"a\"}");
            assertThat(connection.server().readResource("file:///a").text()).contains("1.10");
            assertThat(connection.server().listPrompts()).containsExactly("{\"name\":\"review\"}");
            assertThat(connection
                            .server()
                            .getPrompt("review", Map.of("code", "x"))
                            .json())
                    .isEqualTo("{\"messages\":[]}");
            assertThat(connection.server().complete(Map.of("type", "ref/prompt", "name", "review"), "language", "j"))
                    .contains("java");
        }
    }

    @Test
    void anErrorOfTheServerIsThrown() throws InterruptedException {
        server.onRequest(Methods.RESOURCES_READ, request -> Response.error(request.id(), -32002, "no such resource"));

        try (var connection = Connection.to(URI.create("memory:here"), options())) {
            assertThatThrownBy(() -> connection.server().readResource("file:///b"))
                    .isInstanceOf(CallException.class)
                    .hasMessageContaining("no such resource");
        }
    }

    private ConnectionOptions options() {
        return ConnectionOptions.DEFAULTS
                .withTransport(InMemoryTransportProvider.to(server))
                .withRetryPolicy("none");
    }

    private static CompletableFuture<ToolResult> begin(Connection connection) {
        return connection.callToolAsync("echo", Map.of(), CallOptions.DEFAULTS);
    }

    private void ask(Request call, String params) {
        server.reply(call, Request.of(MessageId.of("q"), Methods.ELICITATION_CREATE, params));
    }

    private Message answer() {
        return Eventually.get(
                () -> "an answer among " + server.received(),
                () -> answers().stream().findFirst());
    }

    private List<Message> answers() {
        return server.received().stream().filter(Response.class::isInstance).toList();
    }
}
