package io.mcpbridge.testkit.broken;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.testkit.EchoScript;
import io.mcpbridge.testkit.InMemoryTransport;
import java.util.Optional;

/** A transport that keeps every promise but the one that a subclass breaks. */
abstract class BrokenTransport implements Transport {
    private final Transport whole;

    BrokenTransport() {
        this(InMemoryTransport.to(new EchoScript()));
    }

    BrokenTransport(Transport whole) {
        this.whole = whole;
    }

    @Override
    public void open(Receiver receiver, Deadline deadline) throws InterruptedException {
        whole.open(new Passing(receiver), deadline);
    }

    @Override
    public void send(Outgoing out) {
        whole.send(out);
    }

    @Override
    public boolean abandon(Outgoing out, String reason) {
        return whole.abandon(out, reason);
    }

    @Override
    public TransportTraits traits() {
        return whole.traits();
    }

    @Override
    public void close() {
        whole.close();
    }

    void written(Receiver receiver, Outgoing out) {
        receiver.written(out);
    }

    void message(Receiver receiver, Message message) {
        receiver.message(message, Optional.empty());
    }

    void closed(Receiver receiver, Closed why) {
        receiver.closed(why);
    }

    private final class Passing implements Receiver {
        private final Receiver receiver;

        private Passing(Receiver receiver) {
            this.receiver = receiver;
        }

        @Override
        public void written(Outgoing out) {
            BrokenTransport.this.written(receiver, out);
        }

        @Override
        public void message(Message message, Optional<Outgoing> stream) {
            BrokenTransport.this.message(receiver, message);
        }

        @Override
        public void failed(Outgoing out, RequestFailure why) {
            receiver.failed(out, why);
        }

        @Override
        public void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
            receiver.unreadable(why, answerTo);
        }

        @Override
        public void closed(Closed why) {
            BrokenTransport.this.closed(receiver, why);
        }
    }
}
