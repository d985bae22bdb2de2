package io.mcpbridge.transport.http.client;

import static io.mcpbridge.transport.http.RawHttpServer.json;
import static io.mcpbridge.transport.http.RawHttpServer.result;
import static io.mcpbridge.transport.http.RawHttpServer.stream;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Response;
import io.mcpbridge.transport.http.RawHttpServer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers of 2025-03-26 may send several messages as one array. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpTransportBatchTest {
    private static final String BATCH =
            "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}," + result("1") + "]";

    @Test
    void batchInABodyIsSplit() throws Exception {
        try (var server = RawHttpServer.answering(any -> json(200, BATCH));
                var client = Client.of(server).speaking(ProtocolVersion.V2025_03_26)) {
            var answer = (Response) client.answer(client.send());

            assertThat(answer.isError()).isFalse();
            assertThat(client.receiver.messages().get(0)).isInstanceOf(Notification.class);
        }
    }

    @Test
    void batchInAnEventIsSplit() throws Exception {
        try (var server = RawHttpServer.answering(any -> stream() + "data: " + BATCH + "\n\n");
                var client = Client.of(server).speaking(ProtocolVersion.V2025_03_26)) {
            client.answer(client.send());

            assertThat(client.receiver.messages()).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"})
    void batchIsRejectedInOtherRevisions(String version) throws Exception {
        try (var server = RawHttpServer.answering(any -> json(200, BATCH));
                var client = Client.of(server).speaking(new ProtocolVersion(version))) {
            assertThat(client.failure(client.send()).code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
            assertThat(client.receiver.messages()).isEmpty();
        }
    }

    @Test
    void batchWithoutTheAnswerIsInvalid() throws Exception {
        try (var server = RawHttpServer.answering(any -> json(200, "[" + result("7") + "]"));
                var client = Client.of(server).speaking(ProtocolVersion.V2025_03_26)) {
            assertThat(client.failure(client.send()).code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
        }
    }
}
