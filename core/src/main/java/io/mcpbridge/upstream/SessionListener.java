package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Notification;
import io.mcpbridge.pipeline.Bystanders;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.TransportFailure;
import io.mcpbridge.upstream.health.Latencies;
import io.mcpbridge.upstream.seats.Occupant;
import java.time.Duration;
import java.util.function.Consumer;

/** What an upstream hears from its sessions. Never waits; any thread. */
interface SessionListener {

    /** The connection ended; its calls have been told. */
    void closed(UpstreamSession session, Closed why);

    /**
     * The server no longer knows the session in which this call was sent. The listener ends the call, or sends it
     * once more over a new session if {@code why} says that the server has not run it.
     */
    void sessionLost(UpstreamSession session, Call call, Reply reply, Failure why);

    /**
     * The server takes the session for one of another revision or era than it speaks now, and did not run this call.
     * The listener ends the call or sends it once more.
     */
    void misunderstood(UpstreamSession session, Call call, Reply reply, Failure why);

    /** A modern server found the headers of this call at odds with its body, and did not run it. */
    void misheaded(Call call, Reply reply, Failure why);

    /** A request got no answer in time; its caller is told as well. */
    void timedOut(Failure why);

    /** The server gave a sign of life that it was asked for. */
    void beat(Duration latency);

    /** The server gave no sign of life, and is asked for one once more. */
    void doubted(String why);

    /** The server gives no sign of life. The listener ends the session. */
    void silent(UpstreamSession session, String why);

    /** Where it is noted how long the server takes. */
    Latencies latencies();

    /**
     * The server refused the credentials that went with this call, and did not run it. The listener ends the call, or
     * sends it once more with new ones.
     */
    void unauthorized(Outgoing out, Call call, Reply reply, TransportFailure why);

    /** The same for a request of the session's own, such as its handshake, which {@code again} sends once more. */
    void unauthorized(Outgoing out, Reply reply, TransportFailure why, Consumer<Reply> again);

    /** The headers of a message of this session with what shows the server who calls. */
    Metadata authorized(Metadata headers);

    /** What goes with a call in headers of its own, where each request has its own stream. */
    Metadata headers(Call call);

    /** Who watches what belongs to no call. */
    Bystanders bystanders();

    /** Who has this session, and hears what the server asks outside of calls. */
    Occupant occupant();

    /** The server said something that belongs to no call. */
    void notified(UpstreamSession session, Notification notification);

    /** The server sent something that belongs to nobody, and that is described for the log. */
    void dropped(String what);
}
