package io.mcpbridge.workers.internal.frame;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The message of a worker after its start and after each call.
 *
 * @param status how the call ended
 * @param id the id of the request
 * @param residentBytes the resident memory of the worker in bytes; 0 if unknown
 * @param leftBehind the description of threads and processes that the call left behind; empty if there are none
 * @param value the result, or the message of the failure
 */
public record WorkerResponse(
        Status status,
        long id,
        long residentBytes,
        String leftBehind,
        @Nullable Object value) {
    /** The first message of a worker. */
    public static final WorkerResponse STARTED = new WorkerResponse(Status.STARTED, 0, 0, "", null);

    /** The largest message of a failure in bytes, with every character escaped. */
    private static final int MAX_FAILURE_BYTES = 32 << 10;

    /** The most bytes of a line without its value. */
    private static final int MAX_HEAD_BYTES = 4 << 10;

    private static final int MAX_LEFT_BEHIND = 500;

    /** The kind of a response. */
    public enum Status {
        /** The worker has started. */
        STARTED,
        /** The tool has a result. */
        DONE,
        /** The tool threw an exception. */
        FAILED,
        /** The result of the tool exceeds its limit. */
        TOO_LARGE
    }

    /**
     * Formats the response as a line. If the value exceeds {@code maxResultBytes}, the status is {@link
     * Status#TOO_LARGE}.
     *
     * @throws IllegalArgumentException if the value is not plain
     */
    public byte[] toLine(int maxResultBytes) {
        var left = leftBehind.length() <= MAX_LEFT_BEHIND ? leftBehind : leftBehind.substring(0, MAX_LEFT_BEHIND);
        var head = Map.of("status", status.name(), "id", id, "residentBytes", residentBytes, "leftBehind", left);
        try {
            return WorkerValueWriter.line(
                    head, "value", value, status == Status.DONE ? maxResultBytes : MAX_FAILURE_BYTES);
        } catch (WorkerValueWriter.TooLargeException large) {
            return new WorkerResponse(Status.TOO_LARGE, id, residentBytes, leftBehind, null).toLine(maxResultBytes);
        }
    }

    /**
     * Reads the next response; blocks until it has arrived.
     *
     * @param maxResultBytes the maximum size of a result
     * @return empty if the stream has ended
     * @throws MalformedMessageException if other bytes arrive
     */
    public static Optional<WorkerResponse> read(InputStream in, int maxResultBytes) throws IOException {
        var maxValueBytes = Math.max(maxResultBytes, MAX_FAILURE_BYTES);
        var read = ReceivedLine.read(in, maxValueBytes + MAX_HEAD_BYTES);
        return read.isEmpty() ? Optional.empty() : Optional.of(of(read.get(), maxValueBytes));
    }

    private static WorkerResponse of(ReceivedLine message, int maxValueBytes) throws MalformedMessageException {
        var value = message.members().get("value");
        try {
            // A tool may have written this line itself.
            WorkerValueWriter.require(value, maxValueBytes);
            return new WorkerResponse(
                    Status.valueOf(message.text("status")),
                    message.integer("id"),
                    message.integer("residentBytes"),
                    message.text("leftBehind"),
                    value);
        } catch (IllegalArgumentException | WorkerValueWriter.TooLargeException wrong) {
            throw new MalformedMessageException("a response with an unknown status, or a value that is refused");
        }
    }
}
