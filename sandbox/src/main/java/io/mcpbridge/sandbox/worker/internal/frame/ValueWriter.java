package io.mcpbridge.sandbox.worker.internal.frame;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes plain Java values as bytes, up to a bound: null, booleans, numbers, texts, maps and lists. For one thread.
 *
 * @see ValueReader
 */
public final class ValueWriter {
    private static final int FIRST = 512;

    private final int most;
    private byte[] bytes = new byte[FIRST];
    private int size;

    /** Writes {@code mostBytes} at the most. */
    public ValueWriter(int mostBytes) {
        this.most = mostBytes;
    }

    /**
     * Writes a value.
     *
     * @throws IllegalArgumentException if it is no plain value, nested too deep, or a number of very many digits
     * @throws FullException if there is no room for it
     */
    public ValueWriter value(@Nullable Object value) {
        write(value, 0);
        return this;
    }

    private void write(@Nullable Object value, int depth) {
        if (value instanceof Map<?, ?> map) {
            begin(Tag.MAP, map.size(), depth);
            map.forEach((key, each) -> {
                text(String.valueOf(key));
                write(each, depth + 1);
            });
        } else if (value instanceof Iterable<?> list) {
            var size = 0;
            for (var unused : list) {
                size++;
            }
            begin(Tag.LIST, size, depth);
            list.forEach(each -> write(each, depth + 1));
        } else {
            scalar(value);
        }
    }

    private void begin(Tag tag, int count, int depth) {
        if (depth >= ValueReader.DEEPEST) {
            throw new IllegalArgumentException(
                    "the value is nested deeper than %d levels".formatted(ValueReader.DEEPEST));
        }
        tag(tag).integer(count);
    }

    private void scalar(@Nullable Object value) {
        if (value == null) {
            tag(Tag.NULL);
        } else if (value instanceof Boolean flag) {
            tag(flag ? Tag.TRUE : Tag.FALSE);
        } else if (value instanceof CharSequence || value instanceof Character || value instanceof Enum<?>) {
            tag(Tag.TEXT).text(value.toString());
        } else if (value instanceof Number number) {
            number(number);
        } else {
            throw new IllegalArgumentException(
                    "cannot return %s; use maps, lists, strings, finite numbers, booleans or null"
                            .formatted(value.getClass()));
        }
    }

    private void number(Number number) {
        if (number instanceof Long || number instanceof Integer || number instanceof Short || number instanceof Byte) {
            tag(Tag.INTEGER).wide(number.longValue());
        } else if (number instanceof BigDecimal || number instanceof BigInteger) {
            tag(Tag.DECIMAL).text(Decimals.text(number));
        } else {
            tag(Tag.DOUBLE).wide(Double.doubleToLongBits(number.doubleValue()));
        }
    }

    @SuppressWarnings("EnumOrdinal") // Both sides have the same classes.
    private ValueWriter tag(Tag tag) {
        room(1);
        bytes[size++] = (byte) tag.ordinal();
        return this;
    }

    /** Writes a text by itself. */
    public ValueWriter text(String text) {
        var encoded = text.getBytes(StandardCharsets.UTF_8);
        integer(encoded.length);
        room(encoded.length);
        System.arraycopy(encoded, 0, bytes, size, encoded.length);
        size += encoded.length;
        return this;
    }

    /** Writes a number of four bytes by itself. */
    public ValueWriter integer(int number) {
        room(Integer.BYTES);
        ByteBuffer.wrap(bytes, size, Integer.BYTES).putInt(number);
        size += Integer.BYTES;
        return this;
    }

    /** Writes a number of eight bytes by itself. */
    public ValueWriter wide(long number) {
        room(Long.BYTES);
        ByteBuffer.wrap(bytes, size, Long.BYTES).putLong(number);
        size += Long.BYTES;
        return this;
    }

    /** What was written. */
    public ByteBuffer written() {
        return ByteBuffer.wrap(bytes, 0, size).slice();
    }

    private void room(int wanted) {
        if (wanted > most - size) {
            throw new FullException(most);
        }
        if (wanted > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(most, Math.max(2L * bytes.length, (long) size + wanted)));
        }
    }

    /** What the first byte of a value says. */
    enum Tag {
        NULL,
        FALSE,
        TRUE,
        INTEGER,
        DOUBLE,
        DECIMAL,
        TEXT,
        LIST,
        MAP
    }
}
