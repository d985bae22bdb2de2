package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Principal;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.TransportTraits.Shape;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each rejected client is recorded in the audit sink. */
class RejectedClientsTest {
    private static final Peer ANN =
            new Peer(new Principal("ann", "peer-credentials"), Shape.SHARED_STREAM, "unix", "ann#1");

    private final ClientBench bench = new ClientBench();

    @BeforeEach
    void takeAllPlaces() {
        for (int i = 0; i < ClientBench.LIMITS.connections(); i++) {
            assertThat(bench.clients.connected(ANN)).isPresent();
        }
    }

    @Test
    @DisplayName("D15: a client over the limit of its principal is recorded, with decreasing frequency")
    void clientOverTheLimitIsRecordedWithSampling() {
        for (int i = 0; i < 10; i++) {
            assertThat(bench.clients.connected(ANN)).isEmpty();
        }

        assertThat(bench.notes).extracting(note -> note.details().get("count")).containsExactly("1", "2", "4", "8");
        assertThat(bench.notes.get(0).kind()).isEqualTo(AuditNote.PEER_REFUSED);
        assertThat(bench.notes.get(0).details())
                .containsEntry("user", "ann")
                .containsEntry("peer", "ann#1")
                .containsEntry("reason", "2 connections are the limit 'limits.connections' per principal");
    }

    @Test
    void noteOfAListenerReachesTheSink() {
        var note = new AuditNote(AuditNote.LINE_TRUNCATED, Map.of("peer", "ann#1"));

        bench.clients.note(note);

        assertThat(bench.notes).containsExactly(note);
    }

    @Test
    void failingSinkDoesNotAffectTheListener() {
        bench.sinkIsBroken = true;

        bench.clients.note(new AuditNote(AuditNote.LINE_TRUNCATED, Map.of()));

        assertThat(bench.log.lines()).anyMatch(line -> line.contains("the audit sink failed on a note"));
    }
}
