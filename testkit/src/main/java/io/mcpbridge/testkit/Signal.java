package io.mcpbridge.testkit;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.TransportFailure;
import java.util.Optional;

/** One thing that a {@link RecordingReceiver} was told. */
public sealed interface Signal {

    /** The first byte of a message is about to leave. */
    record Written(Outgoing out) implements Signal {}

    /** A message came. */
    record Received(Message message) implements Signal {}

    /** One request failed. */
    record Failed(Outgoing out, TransportFailure why) implements Signal {}

    /** Something came that is not a message. */
    record Unreadable(ProtocolException why, Optional<MessageId> answerTo) implements Signal {}

    /** The connection is over. */
    record Ended(Closed why) implements Signal {}
}
