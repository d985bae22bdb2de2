package io.mcpbridge.sandbox.worker.internal.frame;

import io.mcpbridge.sandbox.worker.internal.frame.ValueWriter.Tag;
import java.math.BigDecimal;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link ValueWriter} has written; takes nothing for granted, since a tool may have written it. For one
 * thread.
 */
public final class ValueReader {
    /** How deep lists and maps may lie in each other: deeper than any sensible value, far from the end of a stack. */
    static final int DEEPEST = 256;

    private static final Tag[] TAGS = Tag.values();

    private final ByteBuffer bytes;

    /** Reads what remains in {@code bytes}, and leaves them as they are. */
    public ValueReader(ByteBuffer bytes) {
        this.bytes = bytes.duplicate();
    }

    /**
     * Reads a value: maps, lists, texts, {@code Long}, {@code Double}, {@code BigDecimal}, booleans and nulls.
     *
     * @throws BadFrameException if there is none
     */
    public @Nullable Object value() throws BadFrameException {
        try {
            return read(0);
        } catch (BufferUnderflowException | NumberFormatException broken) {
            throw new BadFrameException("a value that breaks off or is none");
        }
    }

    private @Nullable Object read(int depth) throws BadFrameException {
        if (depth > DEEPEST) {
            throw new BadFrameException("a value that is nested too deep");
        }
        return switch (tag()) {
            case NULL -> null;
            case FALSE -> false;
            case TRUE -> true;
            case INTEGER -> bytes.getLong();
            case DOUBLE -> Double.longBitsToDouble(bytes.getLong());
            case DECIMAL -> decimal();
            case TEXT -> text();
            case LIST -> list(depth);
            case MAP -> map(depth);
        };
    }

    private BigDecimal decimal() throws BadFrameException {
        return Decimals.read(text()).orElseThrow(() -> new BadFrameException("a number that is too long or too large"));
    }

    private Tag tag() throws BadFrameException {
        var code = bytes.get();
        if (code < 0 || code >= TAGS.length) {
            throw new BadFrameException("a value of the unknown kind " + code);
        }
        return TAGS[code];
    }

    private List<@Nullable Object> list(int depth) throws BadFrameException {
        var count = count();
        var list = new ArrayList<@Nullable Object>();
        for (int i = 0; i < count; i++) {
            list.add(read(depth + 1));
        }
        return Collections.unmodifiableList(list);
    }

    private Map<String, @Nullable Object> map(int depth) throws BadFrameException {
        var count = count();
        var map = new LinkedHashMap<String, @Nullable Object>();
        for (int i = 0; i < count; i++) {
            map.put(text(), read(depth + 1));
        }
        return Collections.unmodifiableMap(map);
    }

    /** Each element has a byte at the least. */
    private int count() throws BadFrameException {
        var count = integer();
        if (count < 0 || count > bytes.remaining()) {
            throw new BadFrameException("%d elements in %d bytes".formatted(count, bytes.remaining()));
        }
        return count;
    }

    /**
     * Reads a text by itself.
     *
     * @throws BadFrameException if there is none
     */
    public String text() throws BadFrameException {
        var encoded = new byte[count()];
        bytes.get(encoded);
        return new String(encoded, StandardCharsets.UTF_8);
    }

    /** Reads a number of four bytes by itself. */
    public int integer() throws BadFrameException {
        if (bytes.remaining() < Integer.BYTES) {
            throw new BadFrameException("a frame that breaks off");
        }
        return bytes.getInt();
    }

    /** Reads a number of eight bytes by itself. */
    public long wide() throws BadFrameException {
        if (bytes.remaining() < Long.BYTES) {
            throw new BadFrameException("a frame that breaks off");
        }
        return bytes.getLong();
    }
}
