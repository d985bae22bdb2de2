package io.mcpbridge.frontdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.event.BridgeEvent.Disconnected;
import io.mcpbridge.message.JsonStrings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** C9: what {@link Bridge#close} ends, which is what {@code terminate()} of the contract is called here. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Timeout(60)
class TerminateTest {
    private static final String CHILD = """
        while IFS= read -r line; do
          case $line in *'"id":'*) ;; *) continue ;; esac
          id=${line#*'"id":'}
          id=${id%%[,\\}]*}
          case $line in
            *'"method":"initialize"'*)
              result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}' ;;
            *'"method":"tools/list"'*)
              result='{"tools":[{"name":"pid","inputSchema":{"type":"object"}},{"name":"hang","inputSchema":{"type":"object"}}]}' ;;
            *'"name":"hang"'*) sleep 120 ;;
            *) result='{"content":[{"type":"text","text":"'$$'"}]}' ;;
          esac
          printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$result"
        done
        """;

    private final List<BridgeEvent> events = new CopyOnWriteArrayList<>();
    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory("c9");
    }

    @AfterEach
    void deleteFolder() throws IOException {
        Files.delete(folder);
    }

    @Test
    @DisplayName("C9: every child is ended, and so is its pending call")
    void closeEndsEveryChildAndItsCalls() throws Exception {
        var bridge = open("\"child\": " + child());
        var pid = Long.parseLong(bridge.callTool("child", "pid", Map.of()).text());
        var process = ProcessHandle.of(pid).orElseThrow();
        var hangs = CompletableFuture.supplyAsync(() -> outcome(() -> bridge.callTool("child", "hang", Map.of())));
        await().atMost(30, TimeUnit.SECONDS).until(() -> bridge.status().get(0).callsInFlight() == 1);

        bridge.close();

        process.onExit().get(30, TimeUnit.SECONDS);
        assertThat(hangs.get(30, TimeUnit.SECONDS)).isInstanceOf(RuntimeException.class);
    }

    @Test
    @DisplayName("C9: the catalog is released, and later calls and listings fail")
    void closeReleasesTheCatalog() throws Exception {
        var bridge = open("\"child\": " + child());
        assertThat(bridge.listTools("child")).hasSize(2);
        assertThat(bridge.servers()).containsExactly("child");

        bridge.close();
        bridge.close();

        assertThat(bridge.servers()).isEmpty();
        assertThat(bridge.status()).isEmpty();
        assertThatThrownBy(() -> bridge.listTools("child")).hasMessageContaining("closed");
        assertThatThrownBy(() -> bridge.callTool("child", "pid", Map.of())).hasMessageContaining("closed");
    }

    @Test
    @DisplayName("C9: reconnecting stops, and a lost child is not restarted")
    void closeStopsReconnecting() throws Exception {
        var begun = folder.resolve("begun");
        var bridge =
                open("\"child\": " + child("echo $$ >> '%s'\n".formatted(begun), ", \"reconnect-backoff\": \"100ms\""));
        bridge.events().subscribe(events::add);
        var pid = Long.parseLong(bridge.callTool("child", "pid", Map.of()).text());
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        await().atMost(30, TimeUnit.SECONDS).until(() -> events.stream().anyMatch(Disconnected.class::isInstance));

        bridge.close();

        await().atMost(30, TimeUnit.SECONDS).until(() -> haveAllExited(begun));
        var children = Files.readAllLines(begun);
        await().during(Duration.ofMillis(500))
                .until(() -> Files.readAllLines(begun).equals(children));
        Files.delete(begun);
    }

    private static boolean haveAllExited(Path pids) throws IOException {
        return Files.readAllLines(pids).stream()
                .noneMatch(pid -> ProcessHandle.of(Long.parseLong(pid)).isPresent());
    }

    private Bridge open(String servers) throws InterruptedException {
        return Bridge.open(
                BridgeConfiguration.parse("{\"mcpServers\": {%s}}".formatted(servers), folder, Map.of()),
                BridgeOptions.DEFAULTS);
    }

    private static String child() {
        return child("", "");
    }

    /** With what it does at first, and more keys. */
    private static String child(String atFirst, String keys) {
        return "{\"command\": \"/bin/sh\", \"args\": [\"-c\", %s], \"protocol\": \"legacy\"%s}"
                .formatted(JsonStrings.quote(atFirst + CHILD), keys);
    }

    private static Object outcome(java.util.concurrent.Callable<?> call) {
        try {
            return call.call();
        } catch (Exception ended) {
            return ended;
        }
    }
}
