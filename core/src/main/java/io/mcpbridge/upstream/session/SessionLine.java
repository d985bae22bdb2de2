package io.mcpbridge.upstream.session;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Reply;
import io.mcpbridge.era.Dialect;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.spi.Outgoing;

/** A session as whoever speaks for the bridge itself sees it, and not for a client. Any thread; nothing here waits. */
public interface SessionLine {

    /** The name of the server at the other end. */
    String server();

    /** Whether all messages of the connection share one stream. */
    boolean sharesStream();

    boolean isClosed();

    /** Settles how requests are dressed from here on. */
    void speak(Dialect dialect);

    /** A new id for a request of our own. */
    MessageId mintId();

    /** Sends a request of our own as it is, such as the handshake; its id must be minted here. */
    void sendOwn(Call call, Outgoing outgoing, Reply reply);

    /** Sends a request of our own in the dialect of the session; its id must be minted here. */
    void sendOwn(Call call, Reply reply);

    /** Sends a notification or a response; nobody waits for it. */
    void sendAside(Message message);

    /** Lets go of a request of our own without a word to the server; a late answer to it is nothing odd. */
    void forget(MessageId id);
}
