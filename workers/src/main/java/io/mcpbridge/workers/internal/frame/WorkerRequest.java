package io.mcpbridge.workers.internal.frame;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The request of a pool to run one call in a worker.
 *
 * @param id a random number that the response repeats, so that no output of a tool is taken for a response
 * @param className the class of the tool
 * @param tool the tool's name
 * @param correlationId the id of the call in logs and audit records
 * @param remainingNanos the remaining time of the call in nanoseconds
 * @param maxResultBytes the maximum size of the result as JSON text
 * @param arguments plain values
 */
public record WorkerRequest(
        long id,
        String className,
        String tool,
        String correlationId,
        long remainingNanos,
        int maxResultBytes,
        Map<String, @Nullable Object> arguments) {
    /** The largest arguments in bytes before escaping, more than clients may send. */
    private static final int MAX_ARGUMENT_BYTES = 64 << 20;

    private static final int MAX_LINE_BYTES = 8 * MAX_ARGUMENT_BYTES;

    /**
     * Checks that arguments can be sent, before the call takes a worker.
     *
     * @throws IllegalArgumentException if they cannot
     */
    public static void requireSendable(Map<String, @Nullable Object> arguments) {
        try {
            WorkerValueWriter.require(arguments, MAX_ARGUMENT_BYTES);
        } catch (WorkerValueWriter.TooLargeException large) {
            throw new IllegalArgumentException(large.getMessage(), large);
        }
    }

    /** Formats the request as a line. */
    public byte[] toLine() {
        var head = Map.of(
                "id", id,
                "class", className,
                "tool", tool,
                "correlationId", correlationId,
                "remainingNanos", remainingNanos,
                "maxResultBytes", maxResultBytes);
        return WorkerValueWriter.line(head, "arguments", arguments, MAX_LINE_BYTES);
    }

    /**
     * Reads the next request; blocks until it has arrived.
     *
     * @return empty if the stream has ended
     * @throws MalformedMessageException if other bytes arrive
     */
    public static Optional<WorkerRequest> read(InputStream in) throws IOException {
        var read = ReceivedLine.read(in, MAX_LINE_BYTES);
        return read.isEmpty() ? Optional.empty() : Optional.of(of(read.get()));
    }

    @SuppressWarnings("unchecked") // Names of a JSON object are strings.
    private static WorkerRequest of(ReceivedLine message) throws MalformedMessageException {
        if (!(message.members().get("arguments") instanceof Map<?, ?> arguments)) {
            throw new MalformedMessageException("a request without arguments");
        }
        return new WorkerRequest(
                message.integer("id"),
                message.text("class"),
                message.text("tool"),
                message.text("correlationId"),
                message.integer("remainingNanos"),
                (int) message.integer("maxResultBytes"),
                (Map<String, @Nullable Object>) arguments);
    }

    /**
     * The marker that a worker writes to its standard error when a call begins, so that the pool separates its output
     * from that of earlier calls. The first byte occurs only once in the marker.
     */
    public static byte[] stderrMarker(long id) {
        return "\0[call %016x]\n".formatted(id).getBytes(US_ASCII);
    }
}
