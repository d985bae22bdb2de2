package io.mcpbridge.workers.internal.frame;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a worker says when it has started, and when a call has ended.
 *
 * @param status how the call ended
 * @param id the id of the request
 * @param residentBytes how much memory the worker takes; 0 where that is not known
 * @param leftBehind what the call left running in the worker, in words; empty if nothing
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

    /** The largest message of a failure, each of its characters escaped. */
    private static final int MAX_FAILURE_BYTES = 32 << 10;

    /** Bytes of a line beside its value. */
    private static final int MAX_HEAD_BYTES = 4 << 10;

    private static final int MAX_LEFT_BEHIND = 500;

    /** The kind of a response. */
    public enum Status {
        /** The worker has started. */
        STARTED,
        /** The tool has a result. */
        DONE,
        /** The tool threw something. */
        FAILED,
        /** The result of the tool is larger than it may be. */
        TOO_LARGE
    }

    /**
     * Formats the response as a line. Where the value takes more than {@code maxResultBytes}, the response says {@link
     * Status#TOO_LARGE} instead.
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
     * Waits for the next response.
     *
     * @param maxResultBytes how large a result may be
     * @return empty if the stream has ended
     * @throws MalformedMessageException if something else arrives
     */
    public static Optional<WorkerResponse> read(InputStream in, int maxResultBytes) throws IOException {
        var maxValueBytes = Math.max(maxResultBytes, MAX_FAILURE_BYTES);
        var read = MessageLine.read(in, maxValueBytes + MAX_HEAD_BYTES);
        return read.isEmpty() ? Optional.empty() : Optional.of(of(read.get(), maxValueBytes));
    }

    private static WorkerResponse of(MessageLine message, int maxValueBytes) throws MalformedMessageException {
        var value = message.members().get("value");
        try {
            // A tool may have written this line.
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
