package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.testkit.Eventually;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A TERM signal while twenty clients call without a pause, each with one hanging call. */
@Timeout(90)
@DisabledOnOs(OS.WINDOWS)
class TermUnderLoadTest {
    private static final int CLIENTS = 20;
    private static final String SHUTTING_DOWN = "\"code\":-31009";

    private final ToolScript script = new ToolScript("tool", "hang");
    private final DaemonFixture fixture;
    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    TermUnderLoadTest() throws Exception {
        fixture = new DaemonFixture();
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        fixture.close();
    }

    @Test
    @DisplayName("L4: every call is answered, at the end of the drain with shutting_down, and nothing leaks")
    void everyCallIsAnsweredAndNothingLeaks() throws Exception {
        fixture.bridge("\"drain-timeout\": \"1s\", ").unix("tool", script);
        fixture.child("child", "echo");
        var file = Files.writeString(fixture.folder.resolve("mcp.json"), fixture.json());
        try (var process = DaemonProcess.start(file, fixture.folder.resolve("log"))) {
            Eventually.holds("the daemon to listen", () -> Files.exists(fixture.adminSocket()));
            var clients = new ArrayList<LineClient>();
            var hanging = new ArrayList<MessageId>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(fixture.client("client-" + i));
                hanging.add(clients.get(i).callLater("tool__hang", "{}"));
            }
            Eventually.holds("all calls to hang", () -> script.hanging() == CLIENTS);
            clients.forEach(client -> threads.execute(() -> callRepeatedly(client)));
            Eventually.holds("many calls", () -> answered.get() > 10 * CLIENTS);
            var children = process.descendants().toList();
            assertThat(children).isNotEmpty();

            process.signal("TERM");

            assertThat(process.exitCode()).isZero();
            threads.shutdown();
            assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            assertAllEndedWith(SHUTTING_DOWN, clients, hanging);
            assertThat(refused).hasPositiveValue();
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            assertThat(fixture.sockets()).containsExactly("tool.sock");
        }
    }

    private static void assertAllEndedWith(String words, List<LineClient> clients, List<MessageId> calls) {
        for (int i = 0; i < CLIENTS; i++) {
            assertThat(clients.get(i).answer(calls.get(i)).json()).contains(words);
        }
    }

    /** Calls until the daemon has ended; each call gets a response, or the connection ends. */
    private void callRepeatedly(LineClient client) {
        while (!client.isOver()) {
            try {
                var id = client.callLater("child__echo", "{}");
                outcome(client, id).ifPresent(json -> {
                    assertThat(json).containsAnyOf("\"result\"", SHUTTING_DOWN);
                    (json.contains(SHUTTING_DOWN) ? refused : answered).incrementAndGet();
                });
            } catch (UncheckedIOException gone) {
                return;
            }
        }
    }

    /** The response, or nothing if the connection has ended. */
    private static Optional<String> outcome(LineClient client, MessageId id) {
        return Eventually.get(() -> "an outcome of " + id, () -> {
            boolean isOver = client.isOver();
            if (client.hasAnswer(id)) {
                return Optional.of(Optional.of(client.answer(id).json()));
            }
            return isOver ? Optional.of(Optional.empty()) : Optional.empty();
        });
    }
}
