package io.mcpbridge.transport.stdio;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.FrameSplitter;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.stream.ServerLineConnection;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * Reads messages from a child's standard output, and skips other lines, such as log output. Used by the reader thread.
 *
 * <p>Skipped lines are reported, redacted. A child that writes only such lines for long loses its
 * connection.
 */
final class ChildStdout {
    /** The number of consecutive skipped lines that ends the connection. */
    static final int MAX_SKIPPED_IN_A_ROW = 1_000;

    private static final int CHUNK = 64 << 10;
    private static final int EXCERPT_LENGTH = 60;

    private final InputStream stdout;
    private final OutputRedactor redactor;
    private final Limits limits;
    private final ServerLineConnection lines;
    private final PipeEstimate pipe;
    private int skippedInARow;

    /** @param pipe receives each message, which shows how much of its input the child has read */
    ChildStdout(
            InputStream stdout,
            OutputRedactor redactor,
            Environment environment,
            ServerLineConnection lines,
            PipeEstimate pipe) {
        this.stdout = stdout;
        this.redactor = redactor;
        this.limits = environment.limits().fromServers();
        this.lines = lines;
        this.pipe = pipe;
    }

    /**
     * Reads to the end of the stream.
     *
     * @throws ProtocolException if the stream must not be read any further
     */
    void read() throws IOException {
        var frames = new FrameSplitter(limits);
        var chunk = new byte[CHUNK];
        try (stdout) {
            for (var read = stdout.read(chunk); read >= 0; read = stdout.read(chunk)) {
                frames.feed(ByteBuffer.wrap(chunk, 0, read), this::onLine);
            }
        }
    }

    private void onLine(byte[] line) {
        Message message;
        try {
            message = Message.scan(line, limits);
        } catch (ProtocolException refused) {
            skip(line, refused);
            return;
        }
        skippedInARow = 0;
        pipe.onRead(message);
        lines.message(message);
    }

    private void skip(byte[] line, ProtocolException why) {
        skippedInARow++;
        var answerTo = Message.readableAnswerId(line, limits);
        // The message of the exception quotes the line unredacted.
        var words = "'%s' on its standard output, which is for messages only; its log belongs on standard error";
        var report = answerTo.isPresent()
                ? why
                : ProtocolException.malformed(why.code(), words.formatted(redactor.beginning(line, EXCERPT_LENGTH)));
        lines.unreadable(report, answerTo);
        if (skippedInARow >= MAX_SKIPPED_IN_A_ROW) {
            throw ProtocolException.upstreamInvalid("%d lines in a row were no messages, the last of them '%s'"
                    .formatted(skippedInARow, redactor.beginning(line, EXCERPT_LENGTH)));
        }
    }
}
