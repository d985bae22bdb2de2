package io.mcpbridge.gateway;

import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** The same over HTTP, in a session of its own: one call after the other, each with the stream of its own answer. */
final class CanaryHttpClient {
    private final CanaryEars ears;
    private final CanaryReport report;
    private final String tool;

    CanaryHttpClient(int number, String tool, CanaryReport report) {
        this.ears = new CanaryEars(number, report);
        this.report = report;
        this.tool = tool;
    }

    /** Makes all calls; the ids begin with 0, which the handshake had before. */
    void run(URI address, int calls) throws IOException, InterruptedException {
        var client = HttpTestClient.initialized(address);
        for (int n = 0; n < calls; n++) {
            call(client, n);
        }
    }

    private void call(HttpTestClient client, int n) throws IOException, InterruptedException {
        var params = "{\"name\":\"%s\",\"arguments\":{\"canary\":\"%s\"},\"_meta\":{\"progressToken\":%d}}"
                .formatted(tool, ears.canary(n), n);
        var isAnswered = false;
        for (var line : client.exchange(n, "tools/call", params).lines().toList()) {
            var json =
                    line.startsWith("data:") ? line.substring("data:".length()).strip() : line;
            if (json.startsWith("{")) {
                isAnswered |= heard(json, n);
            }
        }
        if (!isAnswered) {
            report.lost(1);
        }
    }

    /** True if it was the answer. */
    private boolean heard(String json, int n) {
        var message = Message.scan(json.getBytes(StandardCharsets.UTF_8), Limits.SERVER);
        if (message instanceof Response response) {
            if (response.id().filter(MessageId.of(n)::equals).isEmpty()) {
                report.violation("an answer to another call than %d: %s".formatted(n, json));
            } else if (!ears.isLost(response)) {
                ears.expect(json, n);
                report.answered();
            }
            return true;
        }
        if (message instanceof Notification note
                && note.raw(Part.PROGRESS_TOKEN).isPresent()) {
            ears.expect(json, n);
        } else {
            ears.expectMine(json);
        }
        return false;
    }
}
