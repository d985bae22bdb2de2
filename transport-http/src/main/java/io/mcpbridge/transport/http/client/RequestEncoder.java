package io.mcpbridge.transport.http.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Secret;
import io.mcpbridge.transport.http.internal.HeaderNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Encodes the requests to one endpoint as HTTP/1.1. Immutable, so any thread may use it. */
final class RequestEncoder {
    private static final int ROOM_FOR_HEAD = 1024;

    private final byte[] post;
    private final byte[] get;
    private final byte[] delete;
    private final Map<String, Secret> always;

    RequestEncoder(Endpoint endpoint, Map<String, Secret> always) {
        var lines =
                " " + endpoint.path() + " HTTP/1.1\r\nhost: " + endpoint.authority() + "\r\nuser-agent: mcp-bridge\r\n";
        var both = "accept: application/json, text/event-stream\r\ncontent-type: application/json\r\n";
        this.post = ("POST" + lines + both).getBytes(US_ASCII);
        this.get = ("GET" + lines + "accept: text/event-stream\r\ncache-control: no-cache\r\n").getBytes(US_ASCII);
        this.delete = ("DELETE" + lines).getBytes(US_ASCII);
        this.always = new TreeMap<>();
        always.forEach((name, value) -> this.always.put(name.toLowerCase(Locale.ROOT), value));
    }

    /** Why these headers cannot be sent; empty if they can. */
    static Optional<String> problem(MessageHeaders headers) {
        for (var header : headers.asMap().entrySet()) {
            boolean isFit = HeaderNames.isHeaderName(header.getKey())
                    && header.getValue().stream().allMatch(HeaderNames::isHeaderValue);
            if (!isFit) {
                var words = "the header %s cannot be sent: its value must be printable ASCII without blanks around it";
                return Optional.of(words.formatted(JsonStrings.quote(header.getKey())));
            }
        }
        return Optional.empty();
    }

    ByteBuf post(ByteBufAllocator allocator, MessageHeaders headers, Message message) {
        var out = allocator.directBuffer(ROOM_FOR_HEAD + message.length());
        out.writeBytes(post);
        writeHeaders(out, headers);
        line(out, HeaderNames.CONTENT_LENGTH, Integer.toString(message.length()));
        out.writeBytes("\r\n".getBytes(US_ASCII));
        out.ensureWritable(message.length());
        message.writeTo(out.nioBuffer(out.writerIndex(), message.length()));
        return out.writerIndex(out.writerIndex() + message.length());
    }

    ByteBuf get(ByteBufAllocator allocator, MessageHeaders headers) {
        return withoutBody(allocator, get, headers);
    }

    ByteBuf delete(ByteBufAllocator allocator, MessageHeaders headers) {
        return withoutBody(allocator, delete, headers);
    }

    private ByteBuf withoutBody(ByteBufAllocator allocator, byte[] begin, MessageHeaders headers) {
        var out = allocator.directBuffer(ROOM_FOR_HEAD).writeBytes(begin);
        writeHeaders(out, headers);
        return out.writeBytes("\r\n".getBytes(US_ASCII));
    }

    /** Headers of the request precede configured ones of the same name. */
    private void writeHeaders(ByteBuf out, MessageHeaders headers) {
        headers.asMap().forEach((name, values) -> values.forEach(value -> line(out, name, value)));
        always.forEach((name, value) -> {
            if (headers.all(name).isEmpty()) {
                line(out, name, value.reveal());
            }
        });
    }

    private static void line(ByteBuf out, String name, String value) {
        out.ensureWritable(name.length() + value.length() + 4);
        out.writeCharSequence(name, US_ASCII);
        out.writeByte(':').writeByte(' ');
        out.writeCharSequence(value, US_ASCII);
        out.writeByte('\r').writeByte('\n');
    }
}
