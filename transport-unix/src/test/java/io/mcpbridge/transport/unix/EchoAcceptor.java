package io.mcpbridge.transport.unix;

import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers each request at once with its params. */
final class EchoAcceptor implements Acceptor {
    final AtomicInteger connected = new AtomicInteger();
    final List<AuditNote> notes = new CopyOnWriteArrayList<>();
    final AtomicInteger closed = new AtomicInteger();

    @Override
    public Optional<Intake> connected(Peer peer) {
        connected.incrementAndGet();
        return Optional.of(new Echo());
    }

    @Override
    public void note(AuditNote note) {
        notes.add(note);
    }

    /** How many connections are open. */
    int open() {
        return connected.get() - closed.get();
    }

    /** What was noted of this kind. */
    List<AuditNote> notes(String kind) {
        return notes.stream().filter(note -> note.kind().equals(kind)).toList();
    }

    private final class Echo implements Intake {

        @Override
        public void received(Exchange exchange) {
            exchange.message().ifPresent(message -> {
                if (message instanceof Request request) {
                    var params = request.raw(MessageField.PARAMS).orElse("{}");
                    exchange.end(Ending.answer(Response.result(request.id(), params)));
                } else {
                    exchange.end(Ending.accepted());
                }
            });
        }

        @Override
        public void closed() {
            closed.incrementAndGet();
        }
    }
}
