package io.mcpbridge.transport.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Parses a stream of bytes into server-sent events. Used by one thread; each stream needs its own parser.
 *
 * <p>Lines end with LF, CRLF or CR. An event that the end of the stream truncates is dropped, as the standard requires.
 */
final class SseParser {
    private static final int MOST_FIELD_BYTES = 8 << 10;
    private static final int MOST_RETRY_MILLIS = 3_600_000;

    private final int mostBytes;
    private final Consumer<SseEvent> events;
    private final Consumer<Duration> retries;
    private final Bytes line = new Bytes();
    private final Bytes data = new Bytes();
    private boolean hasData;
    private boolean skipsLineFeed;
    private boolean isFirstLine = true;
    private String type = "";
    private @Nullable String id;

    /**
     * A parser at the beginning of a stream.
     *
     * @param mostBytes the limit for the data of one event
     */
    SseParser(int mostBytes, Consumer<SseEvent> events, Consumer<Duration> retries) {
        this.mostBytes = mostBytes;
        this.events = events;
        this.retries = retries;
    }

    /**
     * Parses more bytes.
     *
     * @throws TooLarge if an event exceeds the limit; the stream cannot be parsed any further
     */
    void feed(ByteBuf in) throws TooLarge {
        while (in.isReadable()) {
            if (skipsLineFeed && in.getByte(in.readerIndex()) == '\n') {
                in.skipBytes(1);
                skipsLineFeed = false;
                continue;
            }
            skipsLineFeed = false;
            int end = in.forEachByte(ByteProcessor.FIND_CRLF);
            int length = (end < 0 ? in.writerIndex() : end) - in.readerIndex();
            checkRoom(length);
            line.append(in, length);
            if (end < 0) {
                return;
            }
            skipsLineFeed = in.readByte() == '\r';
            endOfLine();
        }
    }

    private void checkRoom(int length) throws TooLarge {
        // A line also contains the name of its field, so it may be longer than the data.
        if ((long) line.length + data.length + length > (long) mostBytes + MOST_FIELD_BYTES) {
            throw new TooLarge();
        }
    }

    private void endOfLine() throws TooLarge {
        if (isFirstLine) {
            isFirstLine = false;
            line.dropByteOrderMark();
        }
        if (line.length == 0) {
            dispatch();
        } else {
            field();
        }
        line.clear();
    }

    private void field() throws TooLarge {
        int colon = line.indexOf(':');
        int nameLength = colon < 0 ? line.length : colon;
        int from = colon < 0 ? line.length : colon + 1;
        from += from < line.length && line.bytes[from] == ' ' ? 1 : 0;
        if (line.startsWith("data", nameLength)) {
            appendData(from);
        } else if (line.startsWith("event", nameLength)) {
            type = line.text(from);
        } else if (line.startsWith("id", nameLength)) {
            id = line.text(from).indexOf('\0') < 0 ? line.text(from) : id;
        } else if (line.startsWith("retry", nameLength)) {
            retry(line.text(from));
        }
    }

    private void appendData(int from) throws TooLarge {
        if (hasData) {
            data.append((byte) '\n');
        }
        hasData = true;
        data.append(line, from);
        if (data.length > mostBytes) {
            throw new TooLarge();
        }
    }

    private void retry(String digits) {
        if (digits.matches("\\d{1,9}")) {
            retries.accept(Duration.ofMillis(Math.min(Integer.parseInt(digits), MOST_RETRY_MILLIS)));
        }
    }

    private void dispatch() {
        if (hasData || id != null) {
            events.accept(new SseEvent(type.isEmpty() ? "message" : type, id, data.take()));
        }
        data.clear();
        hasData = false;
        type = "";
        id = null;
    }

    /** An event was longer than allowed. */
    static final class TooLarge extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** A growing byte array. */
    private static final class Bytes {
        private static final byte[] NONE = {};

        private byte[] bytes = NONE;
        private int length;

        void append(ByteBuf in, int count) {
            reserve(count);
            in.readBytes(bytes, length, count);
            length += count;
        }

        void append(Bytes other, int from) {
            int count = other.length - from;
            reserve(count);
            System.arraycopy(other.bytes, from, bytes, length, count);
            length += count;
        }

        void append(byte one) {
            reserve(1);
            bytes[length++] = one;
        }

        private void reserve(int count) {
            if (length + count > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(length + count, Math.max(256, 2 * bytes.length)));
            }
        }

        void dropByteOrderMark() {
            boolean has = length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF;
            if (has) {
                System.arraycopy(bytes, 3, bytes, 0, length - 3);
                length -= 3;
            }
        }

        int indexOf(char sought) {
            for (int i = 0; i < length; i++) {
                if (bytes[i] == sought) {
                    return i;
                }
            }
            return -1;
        }

        boolean startsWith(String name, int nameLength) {
            return nameLength == name.length() && new String(bytes, 0, nameLength, UTF_8).equals(name);
        }

        String text(int from) {
            return new String(bytes, from, length - from, UTF_8);
        }

        byte[] take() {
            return Arrays.copyOf(bytes, length);
        }

        void clear() {
            length = 0;
            if (bytes.length > MOST_FIELD_BYTES) {
                bytes = NONE;
            }
        }
    }
}
