package io.mcpbridge.workers.internal.frame;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.tool.Json;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A received message: one line with a JSON object. Each side sends its next message only after the response.
 *
 * @param members the members of the object
 */
record ReceivedLine(Map<String, @Nullable Object> members) {
    private static final int FIRST_BYTES = 8 << 10;

    /**
     * Reads the next message; blocks until it has arrived.
     *
     * @param maxBytes the longest accepted line, including its line end
     * @return empty if the stream ends before a message begins
     * @throws MalformedMessageException if other bytes arrive, or bytes follow the line
     */
    static Optional<ReceivedLine> read(InputStream in, int maxBytes) throws IOException {
        var line = new byte[Math.min(FIRST_BYTES, maxBytes)];
        int length = 0;
        while (true) {
            var count = in.read(line, length, line.length - length);
            if (count < 0 && length == 0) {
                return Optional.empty();
            }
            if (count < 0) {
                throw new MalformedMessageException("a message that breaks off");
            }
            if (line[0] != '{') {
                throw new MalformedMessageException("something that is no message");
            }
            var end = indexOfLineEnd(line, length, length + count);
            length += count;
            if (end == length - 1) {
                return Optional.of(parse(new String(line, 0, end, UTF_8)));
            }
            if (end >= 0) {
                throw new MalformedMessageException("something behind a message");
            }
            line = length < line.length ? line : grow(line, maxBytes);
        }
    }

    private static int indexOfLineEnd(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private static byte[] grow(byte[] line, int maxBytes) throws MalformedMessageException {
        if (line.length >= maxBytes) {
            throw new MalformedMessageException("a message of more than %d bytes".formatted(maxBytes));
        }
        return Arrays.copyOf(line, (int) Math.min(maxBytes, 2L * line.length));
    }

    private static ReceivedLine parse(String line) throws MalformedMessageException {
        try {
            return new ReceivedLine(Json.parse(line).asMap());
        } catch (ProtocolException broken) {
            throw new MalformedMessageException("something that is no JSON object");
        }
    }

    String text(String name) throws MalformedMessageException {
        if (members.get(name) instanceof String text) {
            return text;
        }
        throw missing(name, "text");
    }

    long integer(String name) throws MalformedMessageException {
        var value = members.get(name);
        if (value instanceof Long number) {
            return number;
        }
        // The JSON reader returns no long of 19 digits.
        if (value instanceof BigDecimal number
                && number.scale() == 0
                && number.unscaledValue().bitLength() < Long.SIZE) {
            return number.longValue();
        }
        throw missing(name, "integer");
    }

    private static MalformedMessageException missing(String name, String type) {
        return new MalformedMessageException("a message without the %s '%s'".formatted(type, name));
    }
}
