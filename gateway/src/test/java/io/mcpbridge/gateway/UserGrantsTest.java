package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.Script;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Resources, prompts and completions that the configuration hides from users. */
@Timeout(60)
class UserGrantsTest {
    private static final String USER = System.getProperty("user.name");
    private static final String COMPLETION = "{\"ref\":%s,\"argument\":{\"name\":\"n\",\"value\":\"v\"}}";
    private static final Set<String> USES = Set.of(
            Methods.RESOURCES_READ,
            Methods.RESOURCES_SUBSCRIBE,
            Methods.RESOURCES_UNSUBSCRIBE,
            Methods.PROMPTS_GET,
            Methods.COMPLETION_COMPLETE);

    private final Library library = new Library();
    private final DaemonFixture fixture;

    UserGrantsTest() throws Exception {
        fixture = new DaemonFixture();
        fixture.unix("docs", library);
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @ParameterizedTest(name = "{0} of {1} server(s)")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"%s\": {\"tools\": {\"allow\": [\"*\"]}}} | 1",
                "{\"*\": {\"tools\": {\"allow\": [\"*\"]}}} | 2",
                "{\"%s\": {\"resources\": {\"deny\": [\"*\"]}, \"prompts\": {\"allow\": []}}, \"*\": {}} | 2",
            })
    void userWithoutAGrantSeesAndUsesNothing(String clients, int servers) throws Exception {
        if (servers == 2) {
            fixture.unix("more", new Library());
        }
        var client = start(clients.formatted(USER));

        assertThat(result(client, Methods.RESOURCES_LIST, "{}")).isEqualTo("{\"resources\":[]}");
        assertThat(result(client, Methods.RESOURCES_TEMPLATES_LIST, "{}")).isEqualTo("{\"resourceTemplates\":[]}");
        assertThat(result(client, Methods.PROMPTS_LIST, "{}")).isEqualTo("{\"prompts\":[]}");
        assertThat(error(client, Methods.RESOURCES_READ, "{\"uri\":\"doc:///a\"}"))
                .isEqualTo("-32002");
        assertThat(error(client, Methods.RESOURCES_SUBSCRIBE, "{\"uri\":\"doc:///a\"}"))
                .isEqualTo("-32002");
        assertThat(error(client, Methods.PROMPTS_GET, "{\"name\":\"docs__review\"}"))
                .isEqualTo("-32602");
        assertThat(error(client, Methods.COMPLETION_COMPLETE, ofPrompt("docs__review")))
                .isEqualTo("-32602");
        assertThat(error(client, Methods.COMPLETION_COMPLETE, ofTemplate("doc:///{name}")))
                .isEqualTo("-32602");
        assertThat(error(client, Methods.COMPLETION_COMPLETE, ofTemplate("doc:///a")))
                .isEqualTo("-32602");
        assertThat(library.used).isEmpty();
    }

    @Test
    void userMayUseGrantedItems() throws Exception {
        var client = start("{\"%s\": {\"resources\": {\"allow\": [\"doc:///a*\", \"doc:///{*\"]},".formatted(USER)
                + " \"prompts\": {\"deny\": [\"*secret\"]}}}");

        assertThat(result(client, Methods.RESOURCES_LIST, "{}"))
                .isEqualTo("{\"resources\":[{\"uri\":\"doc:///a\",\"name\":\"n\"}]}");
        assertThat(result(client, Methods.RESOURCES_TEMPLATES_LIST, "{}")).contains("doc:///{name}");
        assertThat(result(client, Methods.PROMPTS_LIST, "{}")).isEqualTo("{\"prompts\":[{\"name\":\"docs__review\"}]}");
        assertThat(result(client, Methods.RESOURCES_READ, "{\"uri\":\"doc:///a\"}"))
                .isEqualTo("{}");
        assertThat(result(client, Methods.RESOURCES_SUBSCRIBE, "{\"uri\":\"doc:///a\"}"))
                .isEqualTo("{}");
        assertThat(result(client, Methods.PROMPTS_GET, "{\"name\":\"docs__review\"}"))
                .isEqualTo("{}");
        assertThat(result(client, Methods.COMPLETION_COMPLETE, ofPrompt("docs__review")))
                .isEqualTo("{}");
        assertThat(result(client, Methods.COMPLETION_COMPLETE, ofTemplate("doc:///{name}")))
                .isEqualTo("{}");
        assertThat(library.used).hasSize(5);
        assertThat(error(client, Methods.PROMPTS_GET, "{\"name\":\"docs__secret\"}"))
                .isEqualTo("-32602");
        assertThat(library.used).hasSize(5);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"doc:///b", "doc:///a/../b", "doc:///a/%2e%2E/b", "DOC:///a"})
    void userCannotReadOtherUris(String uri) throws Exception {
        var client = start("{\"*\": {\"resources\": {\"allow\": [\"doc:///a*\"]}}}");

        assertThat(error(client, Methods.RESOURCES_READ, "{\"uri\":\"%s\"}".formatted(uri)))
                .isEqualTo("-32002");
        assertThat(library.used).isEmpty();
    }

    @Test
    void extensionCannotNameAHiddenResource() throws Exception {
        fixture.server("docs", fixture.unix("files", library).section().replace("}", ", \"extensions\": [\"x/y\"]}"))
                .without("files");
        var client = start("{\"*\": {\"resources\": {\"allow\": [\"doc:///a*\"]}}}");

        assertThat(error(client, "x/y", "{\"uri\":\"doc:///b\"}")).isEqualTo("-32602");
        assertThat(result(client, "x/y", "{\"uri\":\"doc:///a\"}")).isEqualTo("{}");
    }

    @Test
    void revokedSubscriptionsEndOnReload() throws Exception {
        var grants = "\"clients\": {\"*\": {\"resources\": {\"deny\": [%s]}}}, ";
        var daemon = fixture.bridge(grants.formatted("")).start();
        var client = fixture.client("one");
        assertThat(result(client, Methods.RESOURCES_SUBSCRIBE, "{\"uri\":\"doc:///a\"}"))
                .isEqualTo("{}");
        assertThat(result(client, Methods.RESOURCES_SUBSCRIBE, "{\"uri\":\"doc:///b\"}"))
                .isEqualTo("{}");

        daemon.reload(fixture.bridge(grants.formatted("\"doc:///a\"")).configuration());

        Eventually.holds("the bridge to unsubscribe", () -> library.used.contains(Methods.RESOURCES_UNSUBSCRIBE));
        assertThat(library.used)
                .containsExactly(
                        Methods.RESOURCES_SUBSCRIBE, Methods.RESOURCES_SUBSCRIBE, Methods.RESOURCES_UNSUBSCRIBE);
    }

    private LineClient start(String clients) throws Exception {
        fixture.bridge("\"clients\": %s, ".formatted(clients)).start();
        return fixture.client("one");
    }

    private static String ofPrompt(String name) {
        return COMPLETION.formatted("{\"type\":\"ref/prompt\",\"name\":\"%s\"}".formatted(name));
    }

    private static String ofTemplate(String uri) {
        return COMPLETION.formatted("{\"type\":\"ref/resource\",\"uri\":\"%s\"}".formatted(uri));
    }

    private static String result(LineClient client, String method, String params) {
        return client.answer(client.request(method, params))
                .raw(MessageField.RESULT)
                .orElse("none");
    }

    private static String error(LineClient client, String method, String params) {
        return client.answer(client.request(method, params))
                .raw(MessageField.ERROR_CODE)
                .orElse("none");
    }

    /** A server with resources, a template and prompts; keeps the methods that use them. */
    private static final class Library implements Script {
        private final List<String> used = new CopyOnWriteArrayList<>();

        @Override
        public void received(Message message, Wire wire) {
            if (message instanceof Request request) {
                if (USES.contains(request.method())) {
                    used.add(request.method());
                }
                wire.send(Response.result(request.id(), result(request.method())));
            }
        }

        private static String result(String method) {
            return switch (method) {
                case Methods.INITIALIZE ->
                    "{\"protocolVersion\":\"2025-11-25\",\"serverInfo\":{\"name\":\"docs\",\"version\":\"1\"},"
                            + "\"capabilities\":{\"resources\":{\"subscribe\":true},\"prompts\":{},\"completions\":{}}}";
                case Methods.RESOURCES_LIST ->
                    "{\"resources\":[{\"uri\":\"doc:///a\",\"name\":\"n\"},{\"uri\":\"doc:///b\",\"name\":\"n\"}]}";
                case Methods.RESOURCES_TEMPLATES_LIST ->
                    "{\"resourceTemplates\":[{\"uriTemplate\":\"doc:///{name}\",\"name\":\"n\"}]}";
                case Methods.PROMPTS_LIST -> "{\"prompts\":[{\"name\":\"review\"},{\"name\":\"secret\"}]}";
                default -> "{}";
            };
        }
    }
}
