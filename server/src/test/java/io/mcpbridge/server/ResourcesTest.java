package io.mcpbridge.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageFixture;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.Resource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Resources that a program serves. */
@Timeout(60)
class ResourcesTest {
    private static final String NOTES_JSON =
            "{\"uri\":\"notes:/today\",\"name\":\"today\",\"mimeType\":\"text/plain\"}";
    private static final Resource NOTES = new Resource(Json.parse(NOTES_JSON));

    private static ServeBench bench(ResourceHandler handler) {
        var bench = new ServeBench();
        bench.server().registerResource(NOTES, handler);
        return bench;
    }

    private static Resource named(String uri) {
        return new Resource(Json.of(Map.of("uri", uri, "name", "it")));
    }

    @Test
    void resourceIsListedAsDefined() throws Exception {
        try (var bench = bench(caller -> "")) {
            var client = bench.legacy();

            assertThat(client.ask("resources/list", "")).contains("\"result\":{\"resources\":[" + NOTES_JSON + "]}");
            assertThat(client.ask("resources/templates/list", "")).contains("\"result\":{\"resourceTemplates\":[]}");
            assertThat(client.ask("resources/list", "\"cursor\":\"x\"")).contains("-32602", "list without a cursor");
            assertThat(bench.modern().ask("resources/list", "")).contains("{\"resources\":[" + NOTES_JSON + "]");
        }
    }

    @Test
    void textIsRead() throws Exception {
        try (var bench = bench(caller -> "buy milk for " + caller.principal().name())) {
            var contents =
                    "\"contents\":[{\"uri\":\"notes:/today\",\"mimeType\":\"text/plain\",\"text\":\"buy milk for";

            assertThat(bench.legacy().ask("resources/read", "\"uri\":\"notes:/today\""))
                    .contains(contents);
            assertThat(bench.modern().ask("resources/read", "\"uri\":\"notes:/today\""))
                    .contains(contents, "\"resultType\":\"complete\"");
        }
    }

    @Test
    void bytesAreReadAsBase64() throws Exception {
        try (var bench = bench(caller -> "")) {
            bench.server().registerResource(named("notes:/logo"), caller -> "hi".getBytes(UTF_8));

            assertThat(bench.legacy().ask("resources/read", "\"uri\":\"notes:/logo\""))
                    .contains("{\"contents\":[{\"uri\":\"notes:/logo\",\"blob\":\"aGk=\"}]}");
        }
    }

    @Test
    void unknownResourceErrorFollowsTheEra() throws Exception {
        try (var bench = bench(caller -> "")) {
            assertThat(bench.legacy().ask("resources/read", "\"uri\":\"notes:/none\""))
                    .contains("-32002", "unknown resource: 'notes:/none'", "\"uri\":\"notes:/none\"");
            assertThat(bench.modern().ask("resources/read", "\"uri\":\"notes:/none\""))
                    .contains("-32602", "unknown resource: 'notes:/none'");
            assertThat(bench.legacy().ask("resources/read", "")).contains("-32602", "needs the URI");
        }
    }

    @Test
    void failureOfTheHandlerIsAnError() throws Exception {
        var busy = CallException.of(Failure.of(ErrorCode.OVERLOADED, "too many readers"));
        try (var bench = bench(caller -> {
            throw new IllegalStateException("the disk is full");
        })) {
            bench.server().registerResource(named("notes:/busy"), caller -> {
                throw busy;
            });
            bench.server().registerResource(named("notes:/odd"), caller -> 1);
            var client = bench.legacy();

            assertThat(client.ask("resources/read", "\"uri\":\"notes:/today\"")).contains("-32603", "the disk is full");
            assertThat(client.ask("resources/read", "\"uri\":\"notes:/busy\"")).contains("-31006", "too many readers");
            assertThat(client.ask("resources/read", "\"uri\":\"notes:/odd\""))
                    .contains("the handler of 'notes:/odd' must return a String or a byte[], but returned 1");
        }
    }

    @Test
    void handlerIsInterruptedWhenTheServerStops() throws Exception {
        var begun = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        try (var bench = bench(caller -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                interrupted.countDown();
            }
            return "";
        })) {
            var client = bench.legacy();
            client.begin("resources/read", "\"uri\":\"notes:/today\"");
            begun.await();

            bench.server().stop();

            interrupted.await();
            assertThat(client.receive()).contains("-31009");
        }
    }

    @Test
    void readWithoutAThreadIsOverloaded() {
        var checks = Providers.of(SchemaCheckProvider.class).named("json-schema");
        var features = new ServedFeatures(ServerMode.FULL, checks);
        features.add(NOTES, caller -> "");
        var calls = new StageFixture();
        var parts = new ToolCallRunner.Resources(
                new AuditRecorder(new InMemoryAuditSink(), calls.log()),
                task -> {
                    throw new RejectedExecutionException();
                },
                calls.time()::nanoTime,
                calls.time(),
                calls.log());
        var reply = new RecordingReply();

        features.handler(parts).handle(calls.of(Methods.RESOURCES_READ, "{\"uri\":\"notes:/today\"}"), reply);

        assertThat(reply.awaitFailure().message()).isEqualTo("'resources/read' finds no thread to run on");
    }

    @Test
    void toolsAreServedTogetherWithResources() throws Exception {
        try (var bench = bench(caller -> "")) {
            assertThat(bench.legacy().envelope("server_ping", "{}")).contains("\"ok\":true");
        }
    }

    @Test
    void resourcesCapabilityIsDeclaredOnlyWithResources() throws Exception {
        try (var with = bench(caller -> "");
                var without = new ServeBench()) {
            assertThat(with.modern().ask("server/discover", ""))
                    .contains("\"capabilities\":{\"tools\":{\"listChanged\":true},\"resources\":{\"listChanged\":true},"
                            + "\"logging\":{}}");
            var client = without.modern();
            assertThat(client.ask("server/discover", ""))
                    .contains("\"capabilities\":{\"tools\":{\"listChanged\":true},\"logging\":{}}");
            assertThat(client.ask("resources/list", "")).contains("-32601", "'resources/list' is not served here");
            assertThat(client.ask("resources/read", "\"uri\":\"notes:/today\"")).contains("-32601");
        }
    }

    @Test
    void modeMinimalOffersNoResources() throws Exception {
        var bench = new ServeBench();
        bench.options.mode(ServerMode.MINIMAL);
        try (bench) {
            bench.server().registerResource(NOTES, caller -> "");
            var client = bench.modern();

            assertThat(client.ask("server/discover", "")).doesNotContain("\"resources\"");
            assertThat(client.ask("resources/list", "")).contains("-32601");
        }
    }

    @Test
    void resourceRegisteredLaterIsAnnounced() throws Exception {
        try (var bench = bench(caller -> "")) {
            var client = bench.legacy();

            bench.server().registerResource(named("notes:/later"), caller -> "here");

            assertThat(client.receive()).contains("notifications/resources/list_changed");
            assertThat(client.ask("resources/read", "\"uri\":\"notes:/later\"")).contains("here");
        }
    }

    @Test
    void secondRegistrationOfAUriFails() {
        try (var bench = bench(caller -> "")) {
            assertThatThrownBy(() -> bench.server().registerResource(NOTES, caller -> ""))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("resource already registered: notes:/today");
        }
    }

    @Test
    void resourceWithoutANameIsRejected() {
        var nameless = new Resource(Json.of(Map.of("uri", "notes:/today")));
        try (var bench = new ServeBench()) {
            assertThatThrownBy(() -> bench.server().registerResource(nameless, caller -> ""))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the resource 'notes:/today' needs a 'name'");
        }
    }
}
