package io.mcpbridge.transport.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.ByteProcessor;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Parses a stream of bytes into server-sent events. Used by one thread; each stream needs its own parser.
 *
 * <p>Lines end with LF, CRLF or CR. An event that the end of the stream truncates is dropped, as the standard requires.
 */
final class SseParser {
    private static final int MOST_FIELD_BYTES = 8 << 10;
    private static final int BYTE_ORDER_MARK = 0xEFBBBF;
    private static final int MOST_RETRY_MILLIS = 3_600_000;

    private final int mostBytes;
    private final Consumer<SseEvent> events;
    private final Consumer<Duration> retries;
    private final ByteBuf line = Unpooled.buffer();
    private final ByteBuf data = Unpooled.buffer();
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
            line.writeBytes(in, length);
            if (end < 0) {
                return;
            }
            skipsLineFeed = in.readByte() == '\r';
            endOfLine();
        }
    }

    private void checkRoom(int length) throws TooLarge {
        // A line also contains the name of its field, so it may be longer than the data.
        if ((long) line.readableBytes() + data.readableBytes() + length > (long) mostBytes + MOST_FIELD_BYTES) {
            throw new TooLarge();
        }
    }

    private void endOfLine() throws TooLarge {
        if (isFirstLine) {
            isFirstLine = false;
            boolean hasMark = line.readableBytes() >= 3 && line.getUnsignedMedium(0) == BYTE_ORDER_MARK;
            line.skipBytes(hasMark ? 3 : 0);
        }
        if (line.isReadable()) {
            field();
        } else {
            dispatch();
        }
        clear(line);
    }

    private void field() throws TooLarge {
        int colon = line.bytesBefore((byte) ':');
        var name = line.readCharSequence(colon < 0 ? line.readableBytes() : colon, UTF_8)
                .toString();
        line.skipBytes(colon < 0 ? 0 : 1);
        line.skipBytes(line.isReadable() && line.getByte(line.readerIndex()) == ' ' ? 1 : 0);
        switch (name) {
            case "data" -> appendData();
            case "event" -> type = line.toString(UTF_8);
            case "id" -> id = line.bytesBefore((byte) 0) < 0 ? line.toString(UTF_8) : id;
            case "retry" -> retry(line.toString(UTF_8));
            default -> {
                // The standard says to ignore it, as it does a comment, whose name is empty.
            }
        }
    }

    private void appendData() throws TooLarge {
        if (hasData) {
            data.writeByte('\n');
        }
        hasData = true;
        data.writeBytes(line);
        if (data.readableBytes() > mostBytes) {
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
            events.accept(new SseEvent(type.isEmpty() ? "message" : type, id, ByteBufUtil.getBytes(data)));
        }
        clear(data);
        hasData = false;
        type = "";
        id = null;
    }

    /** Drops the memory of a long line, since a stream may be silent for long. */
    private static void clear(ByteBuf bytes) {
        bytes.clear();
        if (bytes.capacity() > MOST_FIELD_BYTES) {
            bytes.capacity(0);
        }
    }

    /** An event was longer than allowed. */
    static final class TooLarge extends Exception {
        private static final long serialVersionUID = 1L;
    }
}
