package io.mcpbridge.transport.stdio;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.Transport;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Closes its transport as soon as a message comes, on the thread that brings it. */
final class ClosingReceiver implements Transport.Receiver {
    private final Transport transport;
    private final CompletableFuture<String> closed = new CompletableFuture<>();

    ClosingReceiver(Transport transport) {
        this.transport = transport;
    }

    String awaitClosed() {
        return closed.orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Override
    public void message(Message message, Optional<Outgoing> stream) {
        transport.close();
    }

    @Override
    public void closed(Closed why) {
        closed.complete(why.reason());
    }

    @Override
    public void writing(Outgoing out) {}

    @Override
    public void failed(Outgoing out, RequestFailure why) {}

    @Override
    public void unreadable(ProtocolException why, Optional<MessageId> answerTo) {}
}
