package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.CallOptions;
import io.mcpbridge.ElicitationHandler.ElicitResult;
import io.mcpbridge.RemoteServer;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import io.mcpbridge.testkit.ScriptedServer;
import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.LogMessage;
import io.mcpbridge.tool.Prompt;
import io.mcpbridge.tool.Resource.Contents;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a bridge offers of one of its servers beside calling tools. */
@Timeout(60)
class RemoteServerTest {
    private final ScriptedServer server = new ScriptedServer();
    private Bridge bridge;

    @BeforeEach
    void open() {
        server.on(
                Methods.INITIALIZE,
                HeldTransport.WELCOME.replace(
                        "{\"tools\":{}}", "{\"tools\":{},\"prompts\":{},\"resources\":{\"subscribe\":true}}"));
        bridge = open(BridgeOptions.DEFAULTS);
    }

    @AfterEach
    void close() {
        bridge.close();
    }

    @Test
    void resourcesAreListedAndRead() throws InterruptedException {
        server.on(
                        Methods.RESOURCES_LIST,
                        "{\"resources\":[{\"uri\":\"file:///a\",\"name\":\"a\",\"title\":\"A\",\"size\":3}]}")
                .on(
                        Methods.RESOURCES_READ,
                        "{\"contents\":[{\"uri\":\"file:///a\",\"mimeType\":\"text/plain\",\"text\":\"one\"},"
                                + "{\"uri\":\"file:///a/b\",\"blob\":\"AA==\"}]}");

        var read = bridge.server("one").readResource("file:///a");

        var listed = bridge.server("one").listResources();

        assertThat(listed).hasSize(1);
        assertThat(listed.get(0).uri()).isEqualTo("file:///a");
        assertThat(listed.get(0).name()).isEqualTo("a");
        assertThat(listed.get(0).title()).hasValue("A");
        assertThat(listed.get(0).size()).hasValue(3);
        assertThat(read.text()).isEqualTo("one");
        assertThat(read.contents())
                .containsExactly(
                        new Contents.Text("file:///a", "text/plain", "one"),
                        new Contents.Blob("file:///a/b", "", "AA=="));
        assertThat(read.json().text()).startsWith("{\"contents\"");
    }

    @Test
    void promptsAreListedAndFilledIn() throws InterruptedException {
        server.on(
                        Methods.PROMPTS_LIST,
                        "{\"prompts\":[{\"name\":\"review\",\"arguments\":[{\"name\":\"code\",\"required\":true}]}]}")
                .on(
                        Methods.PROMPTS_GET,
                        "{\"description\":\"d\",\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\","
                                + "\"text\":\"look\"}}]}");

        var prompt = bridge.server("one").getPrompt("review", Map.of("code", "x"));

        var listed = bridge.server("one").listPrompts();

        assertThat(listed).extracting(Prompt::name).containsExactly("review");
        assertThat(listed.get(0).arguments()).extracting(Prompt.Argument::name).containsExactly("code");
        assertThat(listed.get(0).arguments().get(0).isRequired()).isTrue();
        assertThat(prompt.description()).isEqualTo("d");
        assertThat(prompt.messages()).containsExactly(new Prompt.Message("user", new Content.Text("look")));
    }

    @Test
    void resourceTemplatesAreListed() throws InterruptedException {
        server.on(
                Methods.RESOURCES_TEMPLATES_LIST,
                "{\"resourceTemplates\":[{\"uriTemplate\":\"file:///{path}\",\"name\":\"files\",\"mimeType\":\"text/plain\"}]}");

        var listed = bridge.server("one").listResourceTemplates();

        assertThat(listed).hasSize(1);
        assertThat(listed.get(0).uriTemplate()).isEqualTo("file:///{path}");
        assertThat(listed.get(0).name()).isEqualTo("files");
        assertThat(listed.get(0).mimeType()).hasValue("text/plain");
        assertThat(listed.get(0).description()).isEmpty();
    }

    @Test
    void asyncMethodsReturnTheSameResults() throws Exception {
        server.on(Methods.TOOLS_LIST, "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}")
                .on(Methods.RESOURCES_READ, "{\"contents\":[]}")
                .on(Methods.PROMPTS_GET, "{\"messages\":[]}");
        var one = bridge.server("one");

        assertThat(one.listToolsAsync().get(30, TimeUnit.SECONDS)).hasSize(1);
        assertThat(one.readResourceAsync("file:///a").get(30, TimeUnit.SECONDS).contents())
                .isEmpty();
        assertThat(one.getPromptAsync("review", Map.of())
                        .get(30, TimeUnit.SECONDS)
                        .messages())
                .isEmpty();
    }

    @Test
    void cancelledFutureCancelsTheRequest() {
        var reading = bridge.server("one").readResourceAsync("file:///a");
        server.awaitRequest();

        assertThat(reading.cancel(true)).isTrue();

        Eventually.holds("the cancellation", () -> hasReceived(Methods.CANCELLED));
    }

    @Test
    void serverErrorNamesTheMethod() {
        server.onRequest(Methods.RESOURCES_READ, request -> Response.error(request.id(), -32002, "no such resource"));
        var one = bridge.server("one");

        assertThatThrownBy(() -> one.readResource("file:///b"))
                .isInstanceOf(CallException.class)
                .hasMessageContaining("'resources/read': ")
                .hasMessageContaining("no such resource");
        assertThatThrownBy(() -> one.readResourceAsync("file:///b").get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(CallException.class);
    }

    @Test
    void resourceChangesAreReportedUntilTheSubscriptionCloses() throws InterruptedException {
        server.on(Methods.RESOURCES_SUBSCRIBE, "{}").on(Methods.RESOURCES_UNSUBSCRIBE, "{}");
        var heard = new CopyOnWriteArrayList<String>();

        var subscription = bridge.server("one").subscribe("file:///a", heard::add);
        server.send(Notification.of(Methods.RESOURCES_UPDATED, "{\"uri\":\"file:///a\"}"));
        Eventually.holds("the change", () -> heard.equals(List.of("file:///a")));
        subscription.close();
        subscription.close();

        Eventually.holds("the end of the subscription", () -> hasReceived(Methods.RESOURCES_UNSUBSCRIBE));
    }

    @Test
    void rejectedSubscriptionThrows() {
        server.onRequest(Methods.RESOURCES_SUBSCRIBE, request -> Response.error(request.id(), -32602, "not that one"));

        assertThatThrownBy(() -> bridge.server("one").subscribe("file:///a", uri -> {}))
                .isInstanceOf(CallException.class)
                .hasMessageContaining("not that one");
    }

    @Test
    void bridgeHandlersServeEveryServer() {
        bridge.close();
        bridge = open(BridgeOptions.DEFAULTS.withElicitationHandler(
                request -> ElicitResult.accept(Map.of("asked", request.server() + " " + request.message()))));
        var call = bridge.callToolAsync("one", "echo", Map.of(), CallOptions.DEFAULTS);

        var request = server.awaitRequest();
        server.reply(request, Request.of(MessageId.of("q"), Methods.ELICITATION_CREATE, "{\"message\":\"sure?\"}"));

        Eventually.holds(
                "the answer",
                () -> server.received().stream()
                        .anyMatch(message -> message.json().contains("{\"asked\":\"one sure?\"}")));
        call.cancel(true);
    }

    @Test
    void pingReturnsTheLatencyIfTheServerIsAlive() throws InterruptedException {
        server.on(Methods.PING, "{}");
        assertThat(bridge.server("one").ping()).isPositive();

        server.onRequest(Methods.PING, request -> Response.error(request.id(), -32603, "not now"));
        assertThat(bridge.server("one").ping())
                .as("an error is a sign of life too")
                .isPositive();

        server.onRequest(Methods.INITIALIZE, request -> Response.error(request.id(), -32603, "go away"));
        server.cut();
        Eventually.holds("a server that cannot be connected again", () -> hasNoAnswer(bridge.server("one")));
    }

    private static boolean hasNoAnswer(RemoteServer asked) {
        try {
            asked.ping();
            return false;
        } catch (CallException unanswered) {
            return unanswered.failure().message().contains("go away");
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Test
    void logListenerReceivesMessagesAtOrAboveItsLevel() throws Exception {
        var heard = new CopyOnWriteArrayList<LogMessage>();
        var listening = bridge.server("one").onLog(LogLevel.WARNING, heard::add);
        var failing = bridge.server("one").onLog(LogLevel.DEBUG, message -> {
            throw new IllegalStateException("a listener's defect");
        });
        var call = bridge.callToolAsync("one", "echo", Map.of(), CallOptions.DEFAULTS);
        var request = server.awaitRequest();

        log(request, "info", "mild");
        log(request, "error", "hot");
        Eventually.holds("the hot message", () -> !heard.isEmpty());
        listening.close();
        log(request, "error", "unheard");
        server.answer(request, "{}");

        call.get(30, TimeUnit.SECONDS);
        assertThat(heard).hasSize(1);
        assertThat(heard.get(0).json().text()).isEqualTo("{\"level\":\"error\",\"data\":\"hot\"}");
        assertThat(heard.get(0).level()).hasValue(LogLevel.ERROR);
        assertThat(heard.get(0).data()).hasValue(Json.of("hot"));
        failing.close();
    }

    private void log(Request during, String level, String data) {
        var params = "{\"level\":\"%s\",\"data\":\"%s\"}".formatted(level, data);
        server.reply(during, Notification.of(Methods.LOG_MESSAGE, params));
    }

    @Test
    void serverGetsTheLowestLevelOfAllListeners() throws Exception {
        server.on(Methods.INITIALIZE, HeldTransport.WELCOME.replace("{\"tools\":{}}", "{\"tools\":{},\"logging\":{}}"))
                .on(Methods.LOGGING_SET_LEVEL, "{}")
                .on(Methods.TOOLS_CALL, "{}");
        try (var warnings = bridge.server("one").onLog(LogLevel.WARNING, message -> {});
                var notices = bridge.server("one").onLog(LogLevel.NOTICE, message -> {})) {
            bridge.callTool("one", "echo", Map.of());
            bridge.callTool("one", "echo", Map.of());

            Eventually.holds("the level", () -> hasReceived("notice"));
            assertThat(hasReceived("warning")).isFalse();
            assertThat(List.of(warnings, notices)).hasSize(2);
        }
    }

    @Test
    void removedServerIsNamed() {
        var one = bridge.server("one");
        bridge.removeServer("one");

        assertThatThrownBy(one::listPrompts)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("there is no server 'one'");
        assertThatThrownBy(() -> bridge.server("two")).hasMessageContaining("there is no server 'two'");
    }

    private boolean hasReceived(String method) {
        return server.received().stream().anyMatch(message -> message.json().contains("\"" + method + "\""));
    }

    private Bridge open(BridgeOptions options) {
        var section = "{\"mcpServers\": {\"one\": {\"type\": \"memory\", \"retry\": \"none\"}}}";
        return Bridge.open(
                BridgeConfiguration.parse(section, Path.of(""), Map.of()),
                options.withTransports(
                                Providers.of(TransportProvider.class, List.of(InMemoryTransportProvider.to(server))))
                        .withStages(Providers.only(CallStageProvider.class, List.of())));
    }
}
