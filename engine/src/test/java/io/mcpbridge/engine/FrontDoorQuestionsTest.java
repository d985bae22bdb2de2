package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.ElicitationHandler;
import io.mcpbridge.ElicitationHandler.ElicitRequest;
import io.mcpbridge.ElicitationHandler.ElicitResult;
import io.mcpbridge.RootsHandler.Root;
import io.mcpbridge.SamplingHandler.CreateMessageRequest;
import io.mcpbridge.SamplingHandler.CreateMessageResult;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import io.mcpbridge.testkit.ScriptedServer;
import io.mcpbridge.tool.CompletionResult.Reference;
import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.Json;
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

/** A Java program answers server requests, and uses more than the tools of its servers. */
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
    void capabilitiesFollowFromTheHandlers() throws InterruptedException {
        var options = options()
                .withSamplingHandler(request -> CreateMessageResult.of("m", new Content.Text("")))
                .withElicitationHandler(request -> ElicitResult.cancel())
                .withRootsHandler(request -> List.of());

        try (var connection = Connection.to(URI.create("memory:here"), options)) {
            assertThat(connection.uri().getScheme()).isEqualTo("memory");
            assertThat(server.received().get(1).json())
                    .contains("\"capabilities\":{\"elicitation\":{\"form\":{}},\"roots\":{},\"sampling\":{}}");
        }
    }

    @Test
    void handlerMayBlockBeforeItAnswers() throws Exception {
        var mayAnswer = new CountDownLatch(1);
        var options = options().withElicitationHandler(request -> {
            assertThat(mayAnswer.await(30, TimeUnit.SECONDS)).isTrue();
            return ElicitResult.accept(Map.of("message", request.message()));
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
    void formElicitationIsReadAndAnswered() throws InterruptedException {
        var seen = new CompletableFuture<ElicitRequest>();
        var options = options().withElicitationHandler(request -> {
            seen.complete(request);
            return ElicitResult.accept(Map.of("sure", true));
        });

        try (var connection = Connection.to(URI.create("memory:here"), options)) {
            var unused = begin(connection);
            ask(server.awaitRequest(), "{\"message\":\"sure?\",\"requestedSchema\":{\"type\":\"object\"}}");

            assertThat(answer().json()).contains("\"result\":{\"action\":\"accept\",\"content\":{\"sure\":true}}");
            assertThat(seen.join().server()).isEqualTo("here");
            assertThat(seen.join().requestedSchema()).hasValue(Json.parse("{\"type\":\"object\"}"));
            assertThat(seen.join().url()).isEmpty();
        }
    }

    @Test
    void urlElicitationIsDeclaredAndReadIfTheHandlerSupportsIt() throws InterruptedException {
        var seen = new CompletableFuture<ElicitRequest>();
        var handler = new ElicitationHandler() {
            @Override
            public ElicitResult elicit(ElicitRequest request) {
                seen.complete(request);
                return ElicitResult.accept();
            }

            @Override
            public boolean acceptsUrls() {
                return true;
            }
        };

        try (var connection = Connection.to(URI.create("memory:here"), options().withElicitationHandler(handler))) {
            var unused = begin(connection);
            ask(
                    server.awaitRequest(),
                    "{\"mode\":\"url\",\"message\":\"log in\",\"url\":\"https://a.example/b\",\"elicitationId\":\"1\"}");

            assertThat(answer().json()).contains("\"result\":{\"action\":\"accept\"}");
            assertThat(seen.join().url()).hasValue(URI.create("https://a.example/b"));
            assertThat(seen.join().requestedSchema()).isEmpty();
            assertThat(server.received().get(1).json()).contains("\"elicitation\":{\"form\":{},\"url\":{}}");
        }
    }

    @Test
    void samplingRequestIsReadAndAnswered() throws InterruptedException {
        var seen = new CompletableFuture<CreateMessageRequest>();
        var options = options().withSamplingHandler(request -> {
            seen.complete(request);
            return CreateMessageResult.of("model-1", new Content.Text("four"));
        });

        try (var connection = Connection.to(URI.create("memory:here"), options)) {
            var unused = begin(connection);
            ask(
                    server.awaitRequest(),
                    Methods.SAMPLING_CREATE_MESSAGE,
                    "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"2+2?\"}}],"
                            + "\"systemPrompt\":\"be brief\",\"maxTokens\":10}");

            assertThat(answer().json())
                    .contains("\"result\":{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"four\"},"
                            + "\"model\":\"model-1\",\"stopReason\":\"endTurn\"}");
            assertThat(seen.join().messages()).hasSize(1);
            assertThat(seen.join().messages().get(0).role()).isEqualTo("user");
            assertThat(seen.join().messages().get(0).text()).isEqualTo("2+2?");
            assertThat(seen.join().systemPrompt()).hasValue("be brief");
            assertThat(seen.join().maxTokens()).hasValue(10);
        }
    }

    @Test
    void malformedSamplingRequestHasAbsentValues() {
        var odd = new CreateMessageRequest(
                "s",
                Json.parse(
                        "{\"messages\":[{\"content\":[{\"type\":\"text\",\"text\":\"a\"},7]},8],\"maxTokens\":1.5}"));

        assertThat(odd.messages()).hasSize(2);
        assertThat(odd.messages().get(0).role()).isEmpty();
        assertThat(odd.messages().get(0).content()).containsExactly(new Content.Text("a"));
        assertThat(odd.messages().get(1).content()).isEmpty();
        assertThat(odd.systemPrompt()).isEmpty();
        assertThat(odd.maxTokens()).isEmpty();
        assertThat(new CreateMessageRequest("s", Json.parse("[]")).messages()).isEmpty();
    }

    @Test
    void malformedElicitationHasAbsentValues() {
        var odd = new ElicitRequest("s", Json.parse("{\"message\":1,\"requestedSchema\":null,\"url\":\"no url\"}"));

        assertThat(odd.message()).isEmpty();
        assertThat(odd.requestedSchema()).isEmpty();
        assertThat(odd.url()).isEmpty();
    }

    @Test
    void rootsHandlerAnswersTheServer() throws InterruptedException {
        var options = options()
                .withRootsHandler(request -> List.of(
                        new Root(URI.create("file:///work"), request.server()),
                        new Root(URI.create("file:///home"), "")));

        try (var connection = Connection.to(URI.create("memory:here"), options)) {
            var unused = begin(connection);
            ask(server.awaitRequest(), Methods.ROOTS_LIST, "{}");

            assertThat(answer().json())
                    .contains("\"result\":{\"roots\":[{\"uri\":\"file:///work\",\"name\":\"here\"},"
                            + "{\"uri\":\"file:///home\"}]}");
        }
    }

    @Test
    void failureOfAHandlerIsHiddenFromTheServer() throws InterruptedException {
        var options = options().withElicitationHandler(request -> {
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
    void clientWithoutAHandlerRejectsServerRequests() throws InterruptedException {
        try (var connection = Connection.to(URI.create("memory:here"), options())) {
            var unused = begin(connection);
            ask(server.awaitRequest(), "{}");

            assertThat(answer().json()).contains("-32601", "has no handler");
        }
    }

    @Test
    void handlerIsInterruptedWhenTheCallEnds() throws Exception {
        var begun = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        var options = options().withElicitationHandler(request -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
                return ElicitResult.cancel();
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
    void frontDoorListsAndReadsResourcesAndPrompts() throws InterruptedException {
        server.on(Methods.RESOURCES_LIST, "{\"resources\":[{\"uri\":\"file:///a\",\"name\":\"a\"}]}")
                .on(Methods.RESOURCES_READ, "{\"contents\":[{\"uri\":\"file:///a\",\"text\":\"1.10\"}]}")
                .on(Methods.PROMPTS_LIST, "{\"prompts\":[{\"name\":\"review\"}]}")
                .on(Methods.PROMPTS_GET, "{\"messages\":[]}")
                .on(Methods.COMPLETION_COMPLETE, "{\"completion\":{\"values\":[\"java\"]}}");

        try (var connection = Connection.to(URI.create("memory:here"), options())) {
            assertThat(connection.server().listResources())
                    .extracting(resource -> resource.json().text())
                    .containsExactly("{\"uri\":\"file:///a\",\"name\":\"a\"}");
            assertThat(connection.server().readResource("file:///a").text()).contains("1.10");
            assertThat(connection.server().listPrompts())
                    .extracting(prompt -> prompt.json().text())
                    .containsExactly("{\"name\":\"review\"}");
            assertThat(connection
                            .server()
                            .getPrompt("review", Map.of("code", "x"))
                            .json()
                            .text())
                    .isEqualTo("{\"messages\":[]}");
            assertThat(connection
                            .server()
                            .complete(Reference.toPrompt("review"), "language", "j")
                            .values())
                    .containsExactly("java");
        }
    }

    @Test
    void serverErrorIsThrown() throws InterruptedException {
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
                .withRetryPolicy("none")
                .withoutSchemaCheck();
    }

    private static CompletableFuture<ToolResult> begin(Connection connection) {
        return connection.callToolAsync("echo", Map.of(), CallOptions.DEFAULTS);
    }

    private void ask(Request call, String params) {
        ask(call, Methods.ELICITATION_CREATE, params);
    }

    private void ask(Request call, String method, String params) {
        server.reply(call, Request.of(MessageId.of("q"), method, params));
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
