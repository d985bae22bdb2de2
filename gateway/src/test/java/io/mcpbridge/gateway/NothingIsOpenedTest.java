package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Script;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** K9 and K10: the bridge forwards URIs to their owner and never opens one itself. */
@Timeout(60)
class NothingIsOpenedTest {
    private static final String SECRET = "canary-4711";

    private final AtomicInteger hits = new AtomicInteger();
    private final HttpServer canary;
    private final DaemonFixture fixture;
    private final Path file;

    NothingIsOpenedTest() throws Exception {
        fixture = new DaemonFixture();
        file = Files.writeString(fixture.folder.resolve("canary.txt"), SECRET);
        canary = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        canary.createContext("/", exchange -> {
            hits.incrementAndGet();
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        canary.start();
    }

    @AfterEach
    void close() throws IOException {
        canary.stop(0);
        fixture.close();
    }

    @Test
    void k9UriWithoutOwnerIsRejectedAndForwardedToNoServer() throws Exception {
        var notes = new Sources(List.of("note://1"), "");
        var other = new Sources(List.of("repo://x"), "");
        fixture.unix("notes", notes);
        fixture.unix("other", other);
        fixture.start();
        var client = fixture.client("one");

        for (var uri : List.of(
                file.toUri().toString(),
                "file://" + file,
                "file:" + file,
                file.toString(),
                "../canary.txt",
                "note://1/../../../../" + file,
                "note://1/%2e%2e/%2e%2e/canary.txt",
                "note://1?x=" + file,
                "NOTE://1",
                "note:1",
                "jar:" + file.toUri() + "!/a",
                "http://127.0.0.1:%d/".formatted(port()),
                "note://1@127.0.0.1:%d/".formatted(port()),
                "\\u0000",
                "")) {
            var answer = read(client, uri);
            assertThat(answer.isError()).as(uri).isTrue();
            assertThat(answer.json()).as(uri).doesNotContain(SECRET);
        }
        assertThat(notes.read).isEmpty();
        assertThat(other.read).isEmpty();
        assertThat(hits).hasValue(0);
    }

    @Test
    void k9FileUriReachesOnlyTheServerThatListsIt() throws Exception {
        var uri = file.toUri() + "/../%2e%2e/x";
        var files = new Sources(List.of(uri), "");
        var other = new Sources(List.of("repo://x"), "");
        fixture.unix("files", files);
        fixture.unix("other", other);
        fixture.start();
        var client = fixture.client("one");

        assertThat(read(client, uri).json()).contains("from the server").doesNotContain(SECRET);
        assertThat(read(client, "repo://x").isError()).isFalse();
        assertThat(files.read).containsExactly(uri);
        assertThat(other.read).containsExactly("repo://x");
    }

    @Test
    void k10IconsAreListedAndNeverFetched() throws Exception {
        var icon = "http://127.0.0.1:%d/icon.svg".formatted(port());
        var icons = ",\"icons\":[{\"src\":\"%s\"},{\"src\":\"%s\"}]".formatted(icon, file.toUri());
        fixture.unix("notes", new Sources(List.of("note://1"), icons));
        fixture.start();
        var client = fixture.client("one");

        for (var method : List.of(Methods.TOOLS_LIST, Methods.RESOURCES_LIST, Methods.PROMPTS_LIST)) {
            assertThat(client.answer(client.request(method, "{}")).json()).contains(icon);
        }
        assertThat(client.call("notes__draw", "{}").json()).contains(icon);
        assertThat(fixture.running().servers()).hasSize(1);
        assertThat(hits).hasValue(0);
    }

    private int port() {
        return canary.getAddress().getPort();
    }

    private static Response read(LineClient client, String uri) {
        return client.answer(client.request(Methods.RESOURCES_READ, "{\"uri\":%s}".formatted(JsonStrings.quote(uri))));
    }

    /** A server with resources, a tool and a prompt, all with the same icons. */
    private static final class Sources implements Script {
        private final List<String> uris;
        private final String icons;
        private final List<String> read = new CopyOnWriteArrayList<>();

        private Sources(List<String> uris, String icons) {
            this.uris = uris;
            this.icons = icons;
        }

        @Override
        public void received(Message message, Wire wire) {
            if (message instanceof Request request) {
                wire.send(Response.result(request.id(), result(request)));
            }
        }

        private String result(Request request) {
            return switch (request.method()) {
                case Methods.INITIALIZE ->
                    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{},\"resources\":{},\"prompts\":{}},"
                            + "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"%s}}".formatted(icons);
                case Methods.TOOLS_LIST ->
                    "{\"tools\":[{\"name\":\"draw\",\"inputSchema\":{\"type\":\"object\"}%s}]}".formatted(icons);
                case Methods.PROMPTS_LIST -> "{\"prompts\":[{\"name\":\"p\"%s}]}".formatted(icons);
                case Methods.RESOURCES_LIST ->
                    uris.stream()
                            .map(uri -> "{\"name\":\"r\",\"uri\":%s%s}".formatted(JsonStrings.quote(uri), icons))
                            .collect(Collectors.joining(",", "{\"resources\":[", "]}"));
                case Methods.RESOURCES_TEMPLATES_LIST -> "{\"resourceTemplates\":[]}";
                case Methods.RESOURCES_READ -> {
                    read.add(request.text(MessageField.URI).orElse(""));
                    yield "{\"contents\":[{\"uri\":\"note://1\",\"text\":\"from the server\"}]}";
                }
                case Methods.TOOLS_CALL ->
                    Stream.of("{\"type\":\"resource_link\",\"name\":\"r\",\"uri\":\"note://1\"%s}".formatted(icons))
                            .collect(Collectors.joining(",", "{\"content\":[", "]}"));
                default -> "{}";
            };
        }
    }
}
