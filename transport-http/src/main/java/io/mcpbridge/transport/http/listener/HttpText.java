package io.mcpbridge.transport.http.listener;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.message.Message;
import io.mcpbridge.transport.http.internal.Names;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes responses and the chunks of event streams as bytes. */
final class HttpText {
    private static final int ROOM_FOR_HEAD = 512;
    static final int OK = 200;

    private static final int NO_CONTENT = 204;
    private static final byte[] OK_LINE = "HTTP/1.1 200 OK\r\n".getBytes(US_ASCII);
    private static final byte[] JSON = "content-type: application/json\r\n".getBytes(US_ASCII);
    private static final byte[] CLOSE = "connection: close\r\n".getBytes(US_ASCII);
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

    private HttpText() {}

    /** A whole response. */
    static Piece whole(int status, Metadata headers, Optional<Message> body, Manner manner) {
        check(headers);
        var message = body.orElse(null);
        int size = ROOM_FOR_HEAD + (message == null ? 0 : message.length());
        return new Piece(size, allocator -> {
            var out = allocator.directBuffer(size);
            statusLine(out, status);
            headers(out, headers);
            if (message != null) {
                out.writeBytes(JSON);
            }
            if (status != NO_CONTENT) {
                line(out, Names.CONTENT_LENGTH, Integer.toString(message == null ? 0 : message.length()));
            }
            endOfHead(out, manner);
            return message == null ? out : append(out, message);
        });
    }

    /** A whole response that answers all messages of a batch. */
    static Piece array(List<Message> answers, Manner manner) {
        int length = answers.stream().mapToInt(Message::length).sum() + answers.size() + 1;
        return new Piece(ROOM_FOR_HEAD + length, allocator -> {
            var out = allocator.directBuffer(ROOM_FOR_HEAD + length);
            statusLine(out, 200);
            out.writeBytes(JSON);
            line(out, Names.CONTENT_LENGTH, Integer.toString(length));
            endOfHead(out, manner);
            for (int i = 0; i < answers.size(); i++) {
                append(out.writeByte(i == 0 ? '[' : ','), answers.get(i));
            }
            return out.writeByte(']');
        });
    }

    /** The head of a response whose body is an event stream. */
    static Piece streamHead(Manner manner) {
        return new Piece(
                ROOM_FOR_HEAD,
                allocator -> endOfHead(allocator.directBuffer(ROOM_FOR_HEAD).writeBytes(STREAM_HEAD), manner));
    }

    /** One event with a message; an empty id leaves it without one. */
    static Piece event(String id, Message message) {
        var begin = (id.isEmpty() ? "" : "id: " + id + "\n") + "event: message\ndata: ";
        int length = begin.length() + message.length() + 2;
        return new Piece(length + 16, allocator -> {
            var out = allocator.directBuffer(length + 16);
            out.writeCharSequence(Integer.toHexString(length), US_ASCII);
            out.writeBytes(CRLF);
            out.writeCharSequence(begin, US_ASCII);
            append(out, message);
            return out.writeByte('\n').writeByte('\n').writeBytes(CRLF);
        });
    }

    /** One event of HTTP+SSE with a message. */
    static Piece event(byte[] message) {
        return text("event: message\ndata: ".getBytes(US_ASCII), message, "\n\n".getBytes(US_ASCII));
    }

    /** A chunk of an event stream. */
    static Piece text(String text) {
        return text(text.getBytes(US_ASCII));
    }

    private static Piece text(byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        return new Piece(length + 16, allocator -> {
            var out = allocator.directBuffer(length + 16);
            out.writeCharSequence(Integer.toHexString(length), US_ASCII);
            out.writeBytes(CRLF);
            for (var part : parts) {
                out.writeBytes(part);
            }
            return out.writeBytes(CRLF);
        });
    }

    /** An event without data, which gives the client an id to come back with and the pause before that. */
    static Piece priming(String id, long retryMillis) {
        return text("id: " + id + "\nretry: " + retryMillis + "\ndata:\n\n");
    }

    static Piece comment() {
        return ready(COMMENT);
    }

    static Piece lastChunk() {
        return ready(LAST_CHUNK);
    }

    static Piece goOn() {
        return ready(CONTINUE);
    }

    private static Piece ready(byte[] bytes) {
        return new Piece(
                bytes.length, allocator -> allocator.directBuffer(bytes.length).writeBytes(bytes));
    }

    private static ByteBuf append(ByteBuf out, Message message) {
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

    private static void check(Metadata headers) {
        headers.asMap().forEach((name, values) -> {
            if (!Names.isHeaderName(name) || !values.stream().allMatch(Names::isHeaderValue)) {
                throw new IllegalArgumentException("the header '%s' cannot be written".formatted(name));
            }
        });
    }

    private static void headers(ByteBuf out, Metadata headers) {
        headers.asMap().forEach((name, values) -> values.forEach(value -> line(out, name, value)));
    }

    private static void line(ByteBuf out, String name, String value) {
        out.ensureWritable(name.length() + value.length() + 4);
        out.writeCharSequence(name, US_ASCII);
        out.writeByte(':').writeByte(' ');
        out.writeCharSequence(value, US_ASCII);
        out.writeBytes(CRLF);
    }

    private static ByteBuf endOfHead(ByteBuf out, Manner manner) {
        headers(out, manner.headers());
        if (manner.closes()) {
            out.writeBytes(CLOSE);
        }
        return out.writeBytes(CRLF);
    }

    /**
     * Bytes that are not made before they can be written.
     *
     * @param size about how many
     */
    record Piece(int size, Encoding encoding) {}

    /** Makes the bytes. */
    interface Encoding {
        ByteBuf encode(ByteBufAllocator allocator);
    }

    /** What follows when a piece was written. */
    record Entry(Piece piece, @Nullable Runnable then) {}
}
