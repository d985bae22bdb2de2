package io.mcpbridge.transport.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingReceiver.Signal;
import io.mcpbridge.transport.http.RawHttpServer;
import io.mcpbridge.transport.http.RawHttpServer.Heard;
import io.mcpbridge.transport.http.RawHttpServer.Talk;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reply with both {@code result} and {@code error} is reported as on byte streams, wherever it arrives. */
@Timeout(60)
class ReplyWithResultAndErrorTest {
    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
    private static final String BOTH =
            "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{},\"error\":{\"code\":-1,\"message\":\"no\"}}";

    @ParameterizedTest
    @ValueSource(strings = {"json", "stream"})
    void replyWithBothMembersIsUnreadableInAResponse(String form) throws Exception {
        try (var server = new RawHttpServer(talk -> {
                    var both = BOTH.formatted(id(talk.next().orElseThrow()));
                    talk.write(form.equals("json") ? RawHttpServer.json(200, both) : stream(both));
                });
                var client = Client.of(server)) {
            var out = client.send();

            assertUnreadable(client, out);
        }
    }

    @Test
    void replyWithBothMembersIsUnreadableOnTheNotificationStream() throws Exception {
        var called = new CompletableFuture<String>();
        try (var server = new RawHttpServer(talk -> play(talk, called));
                var client = Client.of(server)) {
            client.initialize();
            client.initialized();

            var out = client.send();

            assertUnreadable(client, out);
        }
    }

    private static void play(Talk talk, CompletableFuture<String> called) throws IOException {
        for (var heard = talk.next(); heard.isPresent(); heard = talk.next()) {
            var request = heard.get();
            if (request.method().equals("GET")) {
                talk.write(stream(BOTH.formatted(called.join())));
                talk.awaitEnd();
            } else if (request.body().contains("\"tools/call\"")) {
                called.complete(id(request));
                talk.awaitEnd();
            } else if (request.body().contains("\"initialize\"")) {
                talk.write(RawHttpServer.json(200, RawHttpServer.result(id(request))));
            } else {
                talk.write(RawHttpServer.bare(202, ""));
            }
        }
    }

    private static void assertUnreadable(Client client, Outgoing out) {
        var request = (Request) out.message();
        Eventually.holds(
                () -> "an unreadable answer; received so far: " + client.receiver.signals(),
                () -> client.receiver.signals().stream()
                        .anyMatch(signal -> signal instanceof Signal.Unreadable unreadable
                                && unreadable
                                        .answerTo()
                                        .filter(request.id()::equals)
                                        .isPresent()));
        assertThat(client.receiver.failure(out)).isEmpty();
    }

    private static String stream(String json) {
        return RawHttpServer.stream() + "data: " + json + "\n\n";
    }

    private static String id(Heard heard) {
        var id = ID.matcher(heard.body());
        return id.find() ? id.group(1) : "";
    }
}
