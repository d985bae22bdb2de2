package io.mcpbridge.gateway;

import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A canary client over HTTP: half of them modern, the others each with its own session. Calls are sequential, each with
 * its own response stream.
 */
final class CanaryHttpClient {
    private final int number;
    private final CanaryCheck check;
    private final CanaryReport report;
    private final String tool;

    CanaryHttpClient(int number, String tool, CanaryReport report) {
        this.number = number;
        this.check = new CanaryCheck(number, report);
        this.report = report;
        this.tool = tool;
    }

    /** Makes all calls with ids from 0; a client that receives nothing for too long gives up its call and leaves. */
    void run(URI address, int calls, Duration silence) throws IOException, InterruptedException {
        var client = number % 2 == 0
                ? HttpTestClient.initialized(address, silence)
                : HttpTestClient.modern(address, silence);
        for (int n = 0; n < calls; n++) {
            try {
                call(client, n);
            } catch (HttpTimeoutException silent) {
                report.lost(1);
                throw silent;
            }
        }
    }

    private void call(HttpTestClient client, int n) throws IOException, InterruptedException {
        var arguments = "{\"canary\":\"%s\"}".formatted(check.canary(n));
        var isAnswered = false;
        for (var line : client.callTool(n, tool, arguments).lines().toList()) {
            var json =
                    line.startsWith("data:") ? line.substring("data:".length()).strip() : line;
            if (json.startsWith("{")) {
                isAnswered |= received(json, n);
            }
        }
        if (!isAnswered) {
            report.lost(1);
        }
    }

    /** True if it was the response. */
    private boolean received(String json, int n) {
        var message = Message.scan(json.getBytes(StandardCharsets.UTF_8), Limits.SERVER);
        if (message instanceof Response response) {
            if (response.id().filter(MessageId.of(n)::equals).isEmpty()) {
                report.violation("an answer to another call than %d: %s".formatted(n, json));
            } else if (!check.isLost(response)) {
                check.expect(json, n);
                report.answered();
            }
            return true;
        }
        if (message instanceof Notification note
                && note.raw(MessageField.PROGRESS_TOKEN).isPresent()) {
            check.expect(json, n);
        } else {
            check.expectMine(json);
        }
        return false;
    }
}
