package io.mcpbridge.transport.stdio;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.FrameSplitter;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.stream.ServerLineConnection;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Reads messages from a child's standard output, and skips other lines, such as log output. Used by the reader thread.
 *
 * <p>Skipped lines are counted and logged at intervals. A child that writes only such lines for long loses its
 * connection.
 */
final class ChildStdout {
    /** The number of consecutive skipped lines that ends the connection. */
    static final int MAX_SKIPPED_IN_A_ROW = 1_000;

    private static final int CHUNK = 64 << 10;
    private static final long LOG_EVERY = Duration.ofSeconds(10).toNanos();
    private static final int EXCERPT_LENGTH = 60;

    private final InputStream stdout;
    private final String command;
    private final OutputRedactor redactor;
    private final Environment environment;
    private final Limits limits;
    private final ServerLineConnection lines;
    private final PipeEstimate pipe;
    private long skipped;
    private long logged;
    private long loggedAt;
    private int skippedInARow;

    /** @param pipe receives each message, which shows how much of its input the child has read */
    ChildStdout(
            InputStream stdout,
            String command,
            OutputRedactor redactor,
            Environment environment,
            ServerLineConnection lines,
            PipeEstimate pipe) {
        this.stdout = stdout;
        this.command = command;
        this.redactor = redactor;
        this.environment = environment;
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
        if (frames.isInsideFrame()) {
            skipped++;
            log(() -> "unfinished at the end");
        }
    }

    private void onLine(byte[] line) {
        Message message;
        try {
            message = Message.scan(line, limits);
        } catch (ProtocolException refused) {
            lines.unreadable(refused, Message.readableAnswerId(line, limits));
            skip(line, refused);
            return;
        }
        skippedInARow = 0;
        pipe.onRead(message);
        lines.message(message);
    }

    private void skip(byte[] line, ProtocolException why) {
        skipped++;
        skippedInARow++;
        // Without the message of the exception, which quotes the line unredacted.
        log(() -> "%s: '%s'".formatted(why.code(), redactor.beginning(line, EXCERPT_LENGTH)));
        if (skippedInARow >= MAX_SKIPPED_IN_A_ROW) {
            throw ProtocolException.upstreamInvalid("%d lines in a row were no messages, the last of them '%s'"
                    .formatted(skippedInARow, redactor.beginning(line, EXCERPT_LENGTH)));
        }
    }

    private void log(Supplier<String> last) {
        var now = environment.timekeeper().nanoTime();
        if (logged > 0 && now - loggedAt < LOG_EVERY) {
            return;
        }
        loggedAt = now;
        environment
                .logger()
                .log(
                        Level.WARNING,
                        "[mcp-bridge] ''{0}'' wrote {1} more lines to its standard output that are no messages, the last of them {2}",
                        command,
                        skipped - logged,
                        last.get());
        logged = skipped;
    }
}
