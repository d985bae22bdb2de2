package io.mcpbridge.sandbox.worker.internal.frame;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a worker is to run: the payload of a {@link Frame.Kind#CALL}.
 *
 * @param type the name of the tool's class
 * @param tool the tool's name
 * @param correlationId follows the call
 * @param nanosLeft how much time it has
 * @param mostBytes how large its result may be
 * @param arguments plain values
 */
public record Order(
        String type,
        String tool,
        String correlationId,
        long nanosLeft,
        int mostBytes,
        Map<String, @Nullable Object> arguments) {

    /** The largest order, which is beyond what clients may send. */
    public static final int MOST_BYTES = 64 << 20;

    /**
     * As bytes.
     *
     * @throws IllegalArgumentException if the arguments are no plain values
     */
    public ByteBuffer written() {
        return new ValueWriter(MOST_BYTES)
                .wide(nanosLeft)
                .text(type)
                .text(tool)
                .text(correlationId)
                .integer(mostBytes)
                .value(arguments)
                .written();
    }

    /**
     * Reads what {@link #written} wrote.
     *
     * @throws BadFrameException if it is none
     */
    public static Order read(ByteBuffer bytes) throws BadFrameException {
        var in = new ValueReader(bytes);
        var nanosLeft = in.wide();
        var type = in.text();
        var tool = in.text();
        var correlationId = in.text();
        var mostBytes = in.integer();
        return new Order(type, tool, correlationId, nanosLeft, mostBytes, arguments(in.value()));
    }

    /** Changes the time that is left in an order that was written. */
    public static void leave(Duration time, ByteBuffer written) {
        written.putLong(0, time.toNanos());
    }

    @SuppressWarnings("unchecked") // What a reader calls a map has texts as its keys.
    private static Map<String, @Nullable Object> arguments(@Nullable Object value) throws BadFrameException {
        if (value instanceof Map<?, ?> map) {
            return (Map<String, @Nullable Object>) map;
        }
        throw new BadFrameException("arguments that are no map");
    }
}
