package io.mcpbridge.stream;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Records what arrives, in order, and answers as the test says. */
final class RecordingIntake implements Intake, Acceptor {
    final List<Exchange> exchanges = new ArrayList<>();
    final List<String> events = new ArrayList<>();
    final List<AuditNote> notes = new ArrayList<>();
    Consumer<Exchange> behaviour = exchange -> {};
    boolean takesBatches;

    @Override
    public Optional<Intake> connected(Peer peer) {
        return Optional.of(this);
    }

    @Override
    public void note(AuditNote note) {
        notes.add(note);
    }

    @Override
    public void received(Exchange exchange) {
        exchanges.add(exchange);
        events.add(exchange.message().map(Message::json).orElse("listen"));
        exchange.onAbandoned(() -> events.add("abandoned"));
        behaviour.accept(exchange);
        events.add("returned");
    }

    @Override
    public boolean takesBatches(MessageHeaders metadata, Principal principal) {
        return takesBatches;
    }

    @Override
    public void closed() {
        events.add("closed");
    }

    Exchange last() {
        return exchanges.get(exchanges.size() - 1);
    }
}
