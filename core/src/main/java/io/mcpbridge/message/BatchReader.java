package io.mcpbridge.message;

import io.mcpbridge.failure.ProtocolException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads a JSON-RPC batch: several messages in one JSON array. Only revision 2025-03-26 has batches. */
public final class BatchReader {

    /** The maximum number of messages in one batch. */
    public static final int MOST = 100;

    private BatchReader() {}

    /** Whether the frame is an array rather than a message. */
    public static boolean isBatch(byte[] json) {
        int at = 0;
        while (at < json.length && (json[at] == ' ' || json[at] == '\t' || json[at] == '\r' || json[at] == '\n')) {
            at++;
        }
        return at < json.length && json[at] == '[';
    }

    /**
     * Splits a frame into its messages. Takes ownership of the array.
     *
     * @param limits for the frame as a whole and for each message in it
     * @throws ProtocolException if the frame is not an array of 1 to {@value #MOST} messages of the legacy era
     */
    public static List<Message> scan(byte[] json, Limits limits) {
        if (json.length > limits.maxBytes()) {
            throw ProtocolErrors.tooLarge(limits);
        }
        var messages = new ArrayList<Message>();
        for (var element : elements(json, limits)) {
            var message = Message.scan(element, limits);
            if (message.has(MessageField.PROTOCOL_VERSION)) {
                throw ProtocolErrors.request("A message of the modern era stands in a batch; send it alone");
            }
            messages.add(message);
        }
        return messages;
    }

    private static List<byte[]> elements(byte[] json, Limits limits) {
        var scanner = new JsonScanner(json, limits);
        var elements = new ArrayList<byte[]>();
        int end = scanner.elements(
                scanner.space(0), MOST, (from, to) -> elements.add(Arrays.copyOfRange(json, from, to)));
        if (elements.isEmpty()) {
            throw ProtocolErrors.request("The batch is empty; it must have at least one message");
        }
        if (end < 0) {
            throw ProtocolErrors.limit("The batch has more than %d messages".formatted(MOST), "maxBatch", MOST);
        }
        scanner.requireEnd(end);
        return elements;
    }
}
