package io.mcpbridge.transport.http.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.AuditSink.AuditNote;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the listener rejects by itself is reported to the acceptor. */
class RejectionReporterTest {

    @Test
    void repeatedUnauthorizedRequestsAreReportedWithSampling() throws IOException {
        try (var served = ListenerFixture.with(Map.of("tokens", Map.of("alice", "alice-0123456789-alice")))) {
            for (int i = 0; i < 5; i++) {
                assertThat(status(served, "Authorization: Bearer s3cret-0123456789\r\n", ListenerFixture.PING))
                        .isEqualTo(401);
            }

            assertThat(served.acceptor.notes())
                    .extracting(note -> note.details().get("count"))
                    .containsExactly("1", "2", "4");
            var note = served.acceptor.awaitNote(AuditNote.PEER_REFUSED);
            assertThat(note.details()).containsEntry("status", "401").containsEntry("peer", "127.0.0.1");
            assertThat(note.toString()).doesNotContain("s3cret");
        }
    }

    @Test
    void malformedMessageIsReported() throws IOException {
        try (var served = ListenerFixture.with(Map.of())) {
            assertThat(status(served, "", "{\"s3cret\"}")).isEqualTo(400);

            var note = served.acceptor.awaitNote(AuditNote.FRAME_REFUSED);
            assertThat(note.details()).containsEntry("status", "400");
            assertThat(note.toString()).doesNotContain("s3cret");
        }
    }

    @Test
    void bodyOverTheLimitIsReported() throws IOException {
        try (var served = ListenerFixture.with(Map.of("max-body-bytes", ListenerFixture.PING.length()))) {
            assertThat(status(served, "", ListenerFixture.PING + " ")).isEqualTo(413);

            assertThat(served.acceptor.awaitNote(AuditNote.FRAME_REFUSED).details())
                    .containsEntry("status", "413");
        }
    }

    @Test
    @DisplayName("D15: connections beyond the limit are reported")
    void connectionsBeyondTheLimitAreReported() throws IOException {
        try (var served = ListenerFixture.with(Map.of("connections", 1));
                var first = served.client()) {
            first.send(ListenerFixture.PING);
            served.acceptor.awaitMessage();

            try (var second = served.client()) {
                assertThat(second.response().status()).isEqualTo(503);
            }

            assertThat(served.acceptor.awaitNote(AuditNote.CONNECTION_FLOOD).details())
                    .containsEntry("reason", "1 is the limit 'connections'");
        }
    }

    @Test
    void otherRejectionsAreNotReported() throws IOException {
        try (var served = ListenerFixture.with(Map.of())) {
            try (var client = served.client()) {
                client.write(client.post("", ListenerFixture.PING).replace("POST", "PUT"));
                assertThat(client.response().status()).isEqualTo(405);
            }

            assertThat(served.acceptor.notes()).isEmpty();
        }
    }

    private static int status(ListenerFixture served, String headers, String body) throws IOException {
        try (var client = served.client()) {
            client.write(client.post(headers, body));
            return client.response().status();
        }
    }
}
