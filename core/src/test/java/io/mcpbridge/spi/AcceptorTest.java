package io.mcpbridge.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.TransportTraits.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AcceptorTest {
    private final List<String> events = new ArrayList<>();
    private final Acceptor acceptor = new BatchAcceptor().onClosed(() -> events.add("action"));

    @Test
    void actionRunsAfterTheEndOfAPeer() {
        connected().closed();

        assertThat(events).containsExactly("closed", "action");
    }

    @Test
    void peerMayStillSendBatches() {
        assertThat(connected().takesBatches(MessageHeaders.EMPTY, Principal.ANONYMOUS))
                .isTrue();
    }

    @Test
    void notesAreForwarded() {
        acceptor.note(new AuditNote("odd", Map.of()));

        assertThat(events).containsExactly("odd");
    }

    private Intake connected() {
        var peer = new Peer(Principal.ANONYMOUS, Shape.SHARED_STREAM, "pipe", "here");
        return acceptor.connected(peer).orElseThrow();
    }

    /** Accepts every peer, and batches. */
    private final class BatchAcceptor implements Acceptor, Intake {

        @Override
        public Optional<Intake> connected(Peer peer) {
            return Optional.of(this);
        }

        @Override
        public void note(AuditNote note) {
            events.add(note.kind());
        }

        @Override
        public void received(Exchange exchange) {
            events.add("received");
        }

        @Override
        public boolean takesBatches(MessageHeaders metadata, Principal principal) {
            return true;
        }

        @Override
        public void closed() {
            events.add("closed");
        }
    }
}
