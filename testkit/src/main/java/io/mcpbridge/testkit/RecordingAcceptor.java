package io.mcpbridge.testkit;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** An {@link Acceptor} that records the peers, exchanges and audit notes of a listener. Any thread may use it. */
public final class RecordingAcceptor implements Acceptor {
    private final boolean open;
    private final List<Peer> peers = new CopyOnWriteArrayList<>();
    private final ConcurrentHashMap<Exchange.Kind, BlockingQueue<Exchange>> exchanges = new ConcurrentHashMap<>();
    private final List<AuditNote> notes = new CopyOnWriteArrayList<>();
    private final AtomicInteger closings = new AtomicInteger();
    private volatile boolean takesBatches;

    private RecordingAcceptor(boolean open) {
        this.open = open;
    }

    /** Returns an acceptor that accepts every peer. */
    public static RecordingAcceptor takingAll() {
        return new RecordingAcceptor(true);
    }

    /** Returns an acceptor that rejects every peer. */
    public static RecordingAcceptor turningAway() {
        return new RecordingAcceptor(false);
    }

    @Override
    public Optional<Intake> connected(Peer peer) {
        peers.add(peer);
        return open ? Optional.of(new RecordingIntake()) : Optional.empty();
    }

    @Override
    public void note(AuditNote note) {
        notes.add(note);
    }

    /** The audit notes so far: what the listener itself rejected. */
    public List<AuditNote> notes() {
        return List.copyOf(notes);
    }

    /** Waits for the first note of this kind. */
    public AuditNote awaitNote(String kind) {
        return Eventually.get(
                () -> "a note of kind " + kind + "; there are " + notes,
                () -> notes.stream().filter(note -> note.kind().equals(kind)).findFirst());
    }

    /** Sets whether clients may send several messages as one array from now on. */
    public void takesBatches(boolean takes) {
        takesBatches = takes;
    }

    /** The peers that connected so far, accepted or not. */
    public List<Peer> peers() {
        return List.copyOf(peers);
    }

    /** The number of intakes that were closed so far. */
    public int closings() {
        return closings.get();
    }

    /** Waits for the next exchange with a message that this method has not returned yet. */
    public Exchange awaitMessage() {
        return await(Exchange.Kind.MESSAGE);
    }

    /** Waits for the next exchange of this kind that was not returned yet. */
    public Exchange await(Exchange.Kind kind) {
        return Eventually.get(
                () -> "an exchange of kind " + kind + "; connected were " + peers,
                () -> Optional.ofNullable(of(kind).poll()));
    }

    private BlockingQueue<Exchange> of(Exchange.Kind kind) {
        return exchanges.computeIfAbsent(kind, any -> new LinkedBlockingQueue<>());
    }

    private final class RecordingIntake implements Intake {

        @Override
        public void received(Exchange exchange) {
            of(exchange.kind()).add(exchange);
        }

        @Override
        public boolean takesBatches(MessageHeaders metadata, Principal principal) {
            return takesBatches;
        }

        @Override
        public void closed() {
            closings.incrementAndGet();
        }
    }
}
