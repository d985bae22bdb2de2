package io.mcpbridge.transport.stdio;

import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntPredicate;

/**
 * The two streams of a client, and the actions that release them. Any thread may use it.
 *
 * @param hasRoomFor whether a write of this many bytes certainly does not block
 * @param hangUp closes the streams, unless they belong to the process
 * @param release returns standard output to the process; a second run has no effect
 */
record StandardStreams(InputStream in, OutputStream out, IntPredicate hasRoomFor, Runnable hangUp, Runnable release) {
    private static final Path TARGET = Path.of("/proc/self/fd/1");
    private static final int SMALLEST_PIPE = 4096;

    /**
     * Returns the streams of this process, which stay open. From now on, output of other code goes to standard error,
     * so that it cannot mix with the messages.
     */
    static StandardStreams ofProcess() {
        var before = System.out;
        before.flush();
        System.setOut(System.err);
        return new StandardStreams(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                roomOfOutput(),
                () -> {},
                () -> System.setOut(before));
    }

    /**
     * Whether a write fits: an empty pipe takes at least one page. On Linux, either end shows how many bytes are in it.
     */
    private static IntPredicate roomOfOutput() {
        var fill = new FileInputStream(FileDescriptor.out);
        boolean isPipe = isPipe();
        return length -> {
            try {
                return isPipe && length <= SMALLEST_PIPE && fill.available() == 0;
            } catch (IOException unknown) {
                return false;
            }
        };
    }

    private static boolean isPipe() {
        try {
            return Files.readSymbolicLink(TARGET).toString().startsWith("pipe:");
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    /** Returns other streams, which are closed on release. */
    static StandardStreams of(InputStream in, OutputStream out) {
        Runnable close = () -> {
            close(in);
            close(out);
        };
        return new StandardStreams(in, out, length -> false, close, close);
    }

    private static void close(Closeable stream) {
        try {
            stream.close();
        } catch (IOException broken) {
            // A failure to close does not matter.
        }
    }
}
