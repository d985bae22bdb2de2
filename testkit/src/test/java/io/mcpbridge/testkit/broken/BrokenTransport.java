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
import io.mcpbridge.testkit.RecordingReceiver;
import java.util.Optional;

/** A transport in memory that lets a suite break one promise. */
final class BrokenTransport implements Transport {
    private final Transport whole = InMemoryTransport.to(new EchoScript());
    private final BrokenContracts.Suite suite;
    private volatile Receiver receiver = new RecordingReceiver();

    BrokenTransport(BrokenContracts.Suite suite) {
        this.suite = suite;
    }

    @Override
    public void open(Receiver newReceiver, Deadline deadline) throws InterruptedException {
        receiver = newReceiver;
        whole.open(new Passing(), deadline);
    }

    @Override
    public void send(Outgoing out) {
        suite.send(whole, receiver, out);
    }

    @Override
    public boolean abandon(Outgoing out, String reason) {
        return suite.abandon(whole, out, reason);
    }

    @Override
    public TransportTraits traits() {
        return whole.traits();
    }

    @Override
    public void close() {
        suite.close(whole);
    }

    private final class Passing implements Receiver {
        @Override
        public void writing(Outgoing out) {
            suite.written(receiver, out);
        }

        @Override
        public void message(Message message, Optional<Outgoing> stream) {
            suite.message(receiver, message);
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
            suite.closed(receiver, why);
        }
    }
}
