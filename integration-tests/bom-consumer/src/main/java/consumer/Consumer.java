package consumer;

import io.mcpbridge.message.Message;

/** Uses a type of a module whose version only the BOM names. */
public interface Consumer {

    /** Takes one message. */
    void accept(Message message);
}
