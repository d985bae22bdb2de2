package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Legacy clients of a server whose processes speak the other era after each start. */
@Timeout(300)
class ChangedEraTest {
    private static final int CLIENTS = 4;
    private static final int ROUNDS = 6;

    @RegisterExtension
    final DaemonFixture fixture = fixture();

    private static DaemonFixture fixture() {
        try {
            return new DaemonFixture();
        } catch (IOException unusable) {
            throw new UncheckedIOException(unusable);
        }
    }

    @Test
    void clientReceivesElicitationsInBothEras() throws Exception {
        start();
        var client = client("one");

        var texts = new ArrayList<String>();
        for (int round = 0; round < ROUNDS; round++) {
            texts.add(text(client, client.callLater("shop__book", "{}")));
            assertThat(client.call("shop__crash", "{}").isError()).isTrue();
        }

        assertThat(texts).contains("booked legacy", "booked modern").isSubsetOf("booked legacy", "booked modern");
        assertThat(client.count(Methods.ELICITATION_CREATE)).isEqualTo(ROUNDS);
    }

    @Test
    void clientsReceiveElicitationsWhileProcessesEndUnderLoad() throws Exception {
        start();
        var clients = new ArrayList<LineClient>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(client("client-" + i));
        }

        for (int round = 0; round < ROUNDS; round++) {
            var booking = clients.stream()
                    .map(client -> client.callLater("shop__book", "{}"))
                    .toList();
            var crash = clients.get(round % CLIENTS).callLater("shop__crash", "{}");
            for (int i = 0; i < CLIENTS; i++) {
                var answer = clients.get(i).answer(booking.get(i));
                assertThat(answer.isError() || answer.json().contains("booked "))
                        .as(answer.json())
                        .isTrue();
            }
            clients.get(round % CLIENTS).answer(crash);
        }
    }

    private void start() {
        var section = DaemonFixture.childSection("x")
                .replace(
                        ToolScript.class.getName() + "\", \"x\"",
                        ChangingEraServer.class.getName() + "\", \"" + fixture.folder + "\"")
                .replace("{\"command\"", "{\"reconnect-backoff\": \"10ms\", \"command\"");
        fixture.server("shop", section).start();
    }

    /** A client that answers server requests. */
    private LineClient client(String name) throws IOException {
        var client = fixture.closeLater(LineClient.connect(fixture.unixAddress()))
                .accepting()
                .listen();
        client.answer(client.request(
                Methods.INITIALIZE,
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":{}},"
                        + "\"clientInfo\":{\"name\":\"%s\",\"version\":\"1\"}}".formatted(name)));
        client.send(Notification.of(Methods.INITIALIZED));
        return client;
    }

    private static String text(LineClient client, MessageId call) {
        Response answer = client.answer(call);
        return List.of("booked legacy", "booked modern").stream()
                .filter(text -> answer.raw(MessageField.CONTENT).orElse("").contains(text))
                .findFirst()
                .orElse(answer.json());
    }
}
