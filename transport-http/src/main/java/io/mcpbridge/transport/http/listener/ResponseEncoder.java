package io.mcpbridge.transport.http.listener;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.message.Message;
import io.mcpbridge.transport.http.internal.HeaderNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Encodes responses and the chunks of event streams. */
final class ResponseEncoder {
    private static final int ROOM_FOR_HEAD = 512;
    static final int OK = 200;

    private static final int NO_CONTENT = 204;
    private static final byte[] OK_LINE = "HTTP/1.1 200 OK\r\n".getBytes(US_ASCII);
    private static final byte[] JSON = "content-type: application/json\r\n".getBytes(US_ASCII);
    private static final byte[] CLOSE = "connection: close\r\n".getBytes(US_ASCII);
    private static final byte[] NOTHING = {};
    private static final byte[] END_OF_EVENT = "\n\n\r\n".getBytes(US_ASCII);
    private static final byte[] CRLF = "\r\n".getBytes(US_ASCII);
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(US_ASCII);
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(US_ASCII);
    private static final byte[] COMMENT = "e\r\n: keep-alive\n\n\r\n".getBytes(US_ASCII);
    private static final byte[] STREAM_HEAD = """
        HTTP/1.1 200 OK\r
        content-type: text/event-stream\r
        cache-control: no-store\r
        x-accel-buffering: no\r
        transfer-encoding: chunked\r
        """.getBytes(US_ASCII);

    private ResponseEncoder() {}

    /** A complete response. */
    static EncodedPart whole(int status, MessageHeaders headers, Optional<Message> body, ResponseOptions options) {
        check(headers);
        var message = body.orElse(null);
        return new EncodedPart(ROOM_FOR_HEAD + (message == null ? 0 : message.length()), allocator -> {
            var out = allocator.directBuffer(ROOM_FOR_HEAD + (message == null ? 0 : room(message)));
            statusLine(out, status);
            headers(out, headers);
            if (message != null) {
                out.writeBytes(JSON);
            }
            if (status != NO_CONTENT) {
                line(out, HeaderNames.CONTENT_LENGTH, Integer.toString(message == null ? 0 : message.length()));
            }
            endOfHead(out, options);
            return message == null ? out : append(out, message, NOTHING);
        });
    }

    /** A response to HEAD: it has no body, and no length, since it does not know the one of GET. */
    static EncodedPart headOnly(int status, MessageHeaders headers, ResponseOptions options) {
        check(headers);
        return new EncodedPart(ROOM_FOR_HEAD, allocator -> {
            var out = allocator.directBuffer(ROOM_FOR_HEAD);
            statusLine(out, status);
            headers(out, headers);
            return endOfHead(out, options);
        });
    }

    /** A complete response with the answers of a batch. */
    static EncodedPart array(List<Message> answers, ResponseOptions options) {
        int length = answers.stream().mapToInt(Message::length).sum() + answers.size() + 1;
        return new EncodedPart(ROOM_FOR_HEAD + length, allocator -> {
            var out = allocator.directBuffer(ROOM_FOR_HEAD + length);
            statusLine(out, 200);
            out.writeBytes(JSON);
            line(out, HeaderNames.CONTENT_LENGTH, Integer.toString(length));
            endOfHead(out, options);
            for (int i = 0; i < answers.size(); i++) {
                copy(answers.get(i), out.writeByte(i == 0 ? '[' : ','));
            }
            return out.writeByte(']');
        });
    }

    /** The head of a response whose body is an event stream. */
    static EncodedPart streamHead(ResponseOptions options) {
        return new EncodedPart(
                ROOM_FOR_HEAD,
                allocator -> endOfHead(allocator.directBuffer(ROOM_FOR_HEAD).writeBytes(STREAM_HEAD), options));
    }

    /** An event with a message; without an id if that is empty. */
    static EncodedPart event(String id, Message message) {
        var begin = (id.isEmpty() ? "" : "id: " + id + "\n") + "event: message\ndata: ";
        int length = begin.length() + message.length() + 2;
        return new EncodedPart(length + 16, allocator -> {
            var out = allocator.directBuffer(begin.length() + room(message) + 18);
            out.writeCharSequence(Integer.toHexString(length), US_ASCII);
            out.writeBytes(CRLF);
            out.writeCharSequence(begin, US_ASCII);
            return append(out, message, END_OF_EVENT);
        });
    }

    /** An event of HTTP+SSE with a message. */
    static EncodedPart event(byte[] message) {
        return text("event: message\ndata: ".getBytes(US_ASCII), message, "\n\n".getBytes(US_ASCII));
    }

    /** A chunk of an event stream. */
    static EncodedPart text(String text) {
        return text(text.getBytes(US_ASCII));
    }

    private static EncodedPart text(byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        return new EncodedPart(length + 16, allocator -> {
            var out = allocator.directBuffer(length + 16);
            out.writeCharSequence(Integer.toHexString(length), US_ASCII);
            out.writeBytes(CRLF);
            for (var part : parts) {
                out.writeBytes(part);
            }
            return out.writeBytes(CRLF);
        });
    }

    /** An event without data, which gives the client an id to resume from and the delay before it. */
    static EncodedPart priming(String id, long retryMillis) {
        return text("id: " + id + "\nretry: " + retryMillis + "\ndata:\n\n");
    }

    static EncodedPart comment() {
        return ready(COMMENT);
    }

    static EncodedPart lastChunk() {
        return ready(LAST_CHUNK);
    }

    static EncodedPart continueResponse() {
        return ready(CONTINUE);
    }

    private static EncodedPart ready(byte[] bytes) {
        return new EncodedPart(
                bytes.length, allocator -> allocator.directBuffer(bytes.length).writeBytes(bytes));
    }

    /** The room for a message beside its head; a large one is copied in pieces when they are written. */
    private static int room(Message message) {
        return message.length() <= ResponseWriteQueue.PIECE ? message.length() : 0;
    }

    private static ByteBuf append(ByteBuf out, Message message, byte[] behind) {
        return room(message) > 0
                ? copy(message, out).writeBytes(behind)
                : Unpooled.wrappedBuffer(out, Unpooled.wrappedBuffer(message.bytes()), Unpooled.wrappedBuffer(behind));
    }

    private static ByteBuf copy(Message message, ByteBuf out) {
        out.ensureWritable(message.length());
        message.writeTo(out.nioBuffer(out.writerIndex(), message.length()));
        return out.writerIndex(out.writerIndex() + message.length());
    }

    private static void statusLine(ByteBuf out, int status) {
        if (status == OK) {
            out.writeBytes(OK_LINE);
            return;
        }
        var reason = HttpResponseStatus.valueOf(status).reasonPhrase();
        out.writeCharSequence("HTTP/1.1 " + status + " " + reason + "\r\n", US_ASCII);
    }

    private static void check(MessageHeaders headers) {
        headers.asMap().forEach((name, values) -> {
            if (!HeaderNames.isHeaderName(name) || !values.stream().allMatch(HeaderNames::isHeaderValue)) {
                throw new IllegalArgumentException("the header '%s' cannot be written".formatted(name));
            }
        });
    }

    private static void headers(ByteBuf out, MessageHeaders headers) {
        headers.asMap().forEach((name, values) -> values.forEach(value -> line(out, name, value)));
    }

    private static void line(ByteBuf out, String name, String value) {
        out.ensureWritable(name.length() + value.length() + 4);
        out.writeCharSequence(name, US_ASCII);
        out.writeByte(':').writeByte(' ');
        out.writeCharSequence(value, US_ASCII);
        out.writeBytes(CRLF);
    }

    private static ByteBuf endOfHead(ByteBuf out, ResponseOptions options) {
        headers(out, options.headers());
        if (options.closes()) {
            out.writeBytes(CLOSE);
        }
        return out.writeBytes(CRLF);
    }

    /**
     * Bytes that are encoded when they are written.
     *
     * @param size their approximate number
     */
    record EncodedPart(int size, Encoder encoder) {}

    /** Encodes the bytes. */
    interface Encoder {
        ByteBuf encode(ByteBufAllocator allocator);
    }
}
