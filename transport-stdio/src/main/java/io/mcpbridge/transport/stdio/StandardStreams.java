package io.mcpbridge.transport.stdio;

import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The two streams of a client, and how they are released. Any thread may use it. */
abstract sealed class StandardStreams {
    private final InputStream in;
    private final OutputStream out;

    private StandardStreams(InputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    /**
     * The streams of this process. From now on, what other code prints goes to standard error, so that it cannot get between
     * the messages.
     */
    static StandardStreams ofProcess() {
        return new OfProcess();
    }

    /** Streams in place of those of the process. */
    static StandardStreams of(InputStream in, OutputStream out) {
        return new Given(in, out);
    }

    InputStream in() {
        return in;
    }

    OutputStream out() {
        return out;
    }

    /** Whether a write of so many bytes certainly does not block. */
    abstract boolean hasRoomFor(int length);

    /** Closes the streams, unless they belong to the process. */
    abstract void hangUp();

    /** Gives standard output back to the process; a second call does nothing. */
    abstract void release();

    /** The streams of the process, which stay open. */
    private static final class OfProcess extends StandardStreams {
        private static final Path TARGET = Path.of("/proc/self/fd/1");
        private static final int SMALLEST_PIPE = 4096;

        private final PrintStream before = System.out;
        private final FileInputStream fill = new FileInputStream(FileDescriptor.out);
        private final boolean isPipe = isPipe();

        OfProcess() {
            super(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
            before.flush();
            System.setOut(System.err);
        }

        /** An empty pipe takes at least one page; on Linux either end shows how much is in it. */
        @Override
        boolean hasRoomFor(int length) {
            try {
                return isPipe && length <= SMALLEST_PIPE && fill.available() == 0;
            } catch (IOException unknown) {
                return false;
            }
        }

        @Override
        void hangUp() {}

        @Override
        void release() {
            System.setOut(before);
        }

        private static boolean isPipe() {
            try {
                return Files.readSymbolicLink(TARGET).toString().startsWith("pipe:");
            } catch (IOException | UnsupportedOperationException unknown) {
                return false;
            }
        }
    }

    /** Streams that were passed in, which are closed. */
    private static final class Given extends StandardStreams {

        Given(InputStream in, OutputStream out) {
            super(in, out);
        }

        @Override
        boolean hasRoomFor(int length) {
            return false;
        }

        @Override
        void hangUp() {
            close(in());
            close(out());
        }

        @Override
        void release() {
            hangUp();
        }

        private static void close(Closeable stream) {
            try {
                stream.close();
            } catch (IOException broken) {
                // It is as good as closed.
            }
        }
    }
}
