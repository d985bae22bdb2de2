package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.ProtocolException;

/** Builds an outgoing message from its parts. The last part may be any JSON text, which is checked. */
final class MessageBuilder {

    /** The characters around a member, and the closing bracket of the message. */
    private static final int PUNCTUATION = 8;

    private final StringBuilder json = new StringBuilder("{\"jsonrpc\":\"2.0\"");
    private MessageField last = MessageField.ID;

    private MessageBuilder() {}

    static MessageBuilder request(MessageId id, String method) {
        return response(id).with(MessageField.METHOD, JsonStrings.quote(method));
    }

    static MessageBuilder notification(String method) {
        return new MessageBuilder().with(MessageField.METHOD, JsonStrings.quote(method));
    }

    static MessageBuilder response(MessageId id) {
        return new MessageBuilder().with(MessageField.ID, id.raw());
    }

    static MessageBuilder response() {
        return new MessageBuilder();
    }

    MessageBuilder with(MessageField part, String rawValue) {
        json.ensureCapacity(json.length() + part.key().length() + rawValue.length() + PUNCTUATION);
        json.append(",\"").append(part.key()).append("\":").append(rawValue.strip());
        last = part;
        return this;
    }

    MessageBuilder error(int code, String message) {
        return with(MessageField.ERROR, "{\"code\":" + code + ",\"message\":" + JsonStrings.quote(message) + "}");
    }

    MessageBuilder error(int code, String message, String dataJson) {
        return with(
                MessageField.ERROR,
                "{\"code\":" + code + ",\"message\":" + JsonStrings.quote(message) + ",\"data\":" + dataJson + "}");
    }

    Message done() {
        try {
            var message = Message.scan(json.append('}').toString().getBytes(UTF_8), Limits.OWN);
            if (message.end(last) < message.length() - 1) {
                throw new IllegalArgumentException(
                        "'%s' has more text than one JSON value, or space behind it".formatted(last.key()));
            }
            return message;
        } catch (ProtocolException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
