package io.mcpbridge.transport.http.client;

import static io.mcpbridge.transport.http.RawHttpServer.bare;
import static io.mcpbridge.transport.http.RawHttpServer.json;
import static io.mcpbridge.transport.http.RawHttpServer.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.transport.http.RawHttpServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Statuses other than 2xx. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpStatusErrorsTest {
    private static final String ERROR = "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":\"no\"}}";

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "307, REQUEST_FAILED, REJECTED, false",
        "303, REQUEST_FAILED, UNKNOWN, false",
        "400, REQUEST_FAILED, UNKNOWN, false",
        "401, UNAUTHORIZED, REJECTED, false",
        "403, UNAUTHORIZED, REJECTED, false",
        "404, SESSION_LOST, REJECTED, true",
        "405, REQUEST_FAILED, REJECTED, false",
        "413, REQUEST_FAILED, REJECTED, false",
        "429, REQUEST_FAILED, REJECTED, true",
        "500, REQUEST_FAILED, UNKNOWN, true",
        "503, REQUEST_FAILED, UNKNOWN, true",
    })
    void statusDecidesTheFailureOfARequestInASession(
            int status, RequestFailure.Kind kind, Delivery delivery, boolean retryable) throws Exception {
        try (var server = afterInitialize(bare(status, ""));
                var client = Client.of(server)) {
            client.initialize();

            var why = client.receiver.awaitFailure(client.send());

            assertThat(why.kind()).isEqualTo(kind);
            assertThat(why.failure().delivery()).isEqualTo(delivery);
            assertThat(why.failure().retryable()).isEqualTo(retryable);
            assertThat(why.failure().status()).hasValue(status);
            assertThat(server.heard().stream().filter(each -> each.body().contains("tools/call")))
                    .hasSize(1);
        }
    }

    @Test
    void notFoundWithoutASessionIsNotASessionLoss() throws Exception {
        try (var server = RawHttpServer.answering(any -> bare(404, ""));
                var client = Client.of(server)) {
            var why = client.receiver.awaitFailure(client.send());

            assertThat(why.kind()).isEqualTo(RequestFailure.Kind.REQUEST_FAILED);
            assertThat(why.failure().message()).contains("check 'url'");
        }
    }

    @Test
    @DisplayName("F9: a redirect is not followed, and its location is named")
    void redirectIsNotFollowedAndItsLocationIsNamed() throws Exception {
        try (var inner = RawHttpServer.answering(any -> json(200, result("1")));
                var server = RawHttpServer.answering(any -> bare(307, "Location: " + inner.url() + "\r\n"));
                var client = Client.of(server)) {
            var failure = client.failure(client.send());

            assertThat(failure.message()).contains(inner.url().toString()).contains("not followed");
            assertThat(inner.heard()).isEmpty();
        }
    }

    @Test
    @DisplayName("F10: rejected credentials are reported at once, and not shown")
    void rejectedCredentialsAreReportedAtOnceAndNotShown() throws Exception {
        try (var server = RawHttpServer.answering(any -> bare(401, ""));
                var client = Client.of(server, Map.of("headers", Map.of("Authorization", "Bearer s3cret-0123")))) {
            var why = client.receiver.awaitFailure(client.send());

            assertThat(why.kind()).isEqualTo(RequestFailure.Kind.UNAUTHORIZED);
            assertThat(why.failure().message()).contains("check 'headers'").doesNotContain("s3cret");
            assertThat(why.failure().delivery()).isEqualTo(Delivery.REJECTED);
            assertThat(why.failure().retryable()).isFalse();
            assertThat(server.heard()).hasSize(1);
        }
    }

    @Test
    void challengeOfTheServerIsReported() throws Exception {
        try (var server = RawHttpServer.answering(any -> bare(401, "WWW-Authenticate: Bearer realm=\"x\"\r\n"));
                var client = Client.of(server)) {
            assertThat(client.receiver.awaitFailure(client.send()).challenge()).contains("Bearer realm=\"x\"");
        }
    }

    @ParameterizedTest(name = "{0} with Retry-After: {1}")
    @DisplayName("F11: Retry-After is reported, up to one day")
    @CsvSource({
        "429, 7, 7",
        "503, 7, 7",
        "503, 0, 0",
        "429, 999999999, 86400",
        "429, 'Wed, 21 Oct 2015 07:28:00 GMT', 0"
    })
    void retryAfterIsReportedUpToOneDay(int status, String value, long seconds) throws Exception {
        try (var server = RawHttpServer.answering(any -> bare(status, "Retry-After: " + value + "\r\n"));
                var client = Client.of(server)) {
            assertThat(client.failure(client.send()).retryAfter()).contains(Duration.ofSeconds(seconds));
        }
    }

    @Test
    void answerToOurIdWithAnErrorStatusIsTheAnswer() throws Exception {
        try (var server = RawHttpServer.answering(any -> json(400, ERROR.formatted("1", -32602)));
                var client = Client.of(server)) {
            var answer = (Response) client.answer(client.send());

            assertThat(answer.isError()).isTrue();
        }
    }

    @Test
    void methodNotFoundWithStatus404DoesNotLoseTheSession() throws Exception {
        try (var server = afterInitialize(json(404, ERROR.formatted("2", -32601)));
                var client = Client.of(server)) {
            client.initialize();

            assertThat(((Response) client.answer(client.send())).isError()).isTrue();
        }
    }

    @Test
    @DisplayName("F16: 404 within a session is a lost session whatever the body contains")
    void status404LosesTheSessionWhateverTheBody() throws Exception {
        try (var server = afterInitialize(json(404, ERROR.formatted("2", -32001)));
                var client = Client.of(server)) {
            client.initialize();

            var why = client.receiver.awaitFailure(client.send());

            assertThat(why.kind()).isEqualTo(RequestFailure.Kind.SESSION_LOST);
            assertThat(why.body()).isPresent();
        }
    }

    @Test
    void serverErrorKeepsItsBody() throws Exception {
        try (var server = RawHttpServer.answering(any -> json(500, ERROR.formatted("1", -32603)));
                var client = Client.of(server)) {
            var why = client.receiver.awaitFailure(client.send());

            assertThat(why.failure().delivery()).isEqualTo(Delivery.UNKNOWN);
            assertThat(why.body().flatMap(body -> ((Response) body).id())).contains(MessageId.of(1));
        }
    }

    @Test
    void connectionIsReusedAfterAnErrorStatus() throws Exception {
        try (var server = RawHttpServer.answering(any -> bare(429, ""));
                var client = Client.of(server)) {
            client.failure(client.send());
            client.failure(client.send());

            assertThat(server.connections()).isEqualTo(1);
        }
    }

    private static RawHttpServer afterInitialize(String answer) throws IOException {
        return RawHttpServer.answering(request -> {
            boolean isInitialize = request.body().contains("\"initialize\"");
            return isInitialize
                    ? "HTTP/1.1 200 OK\r\nMcp-Session-Id: s-1\r\n"
                            + json(200, result("1")).substring("HTTP/1.1 200 X\r\n".length())
                    : answer;
        });
    }
}
