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

/** The two streams that lead to a client, and how they are given back. Any thread may use it. */
abstract sealed class StandardStreams {
    private final InputStream in;
    private final OutputStream out;

    private StandardStreams(InputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    /**
     * The streams of this process. From now on what anybody prints goes to standard error, so that it cannot
     * get between the messages.
     */
    static StandardStreams ofProcess() {
        return new OfProcess();
    }

    /** Streams that stand for those of the process. */
    static StandardStreams of(InputStream in, OutputStream out) {
        return new Given(in, out);
    }

    InputStream in() {
        return in;
    }

    OutputStream out() {
        return out;
    }

    /** Whether a write of so many bytes surely does not get stuck. */
    abstract boolean hasRoomFor(int length);

    /** Shows the client that nothing more comes, where the streams are good for nothing else. */
    abstract void hangUp();

    /** Makes standard output everybody's again; doing it twice is harmless. */
    abstract void giveBack();

    /** Those that the process was started with; they stay open, since they belong to all of it. */
    private static final class OfProcess extends StandardStreams {
        private static final Path TARGET = Path.of("/proc/self/fd/1");
        private static final int SURE_ROOM = 4096;

        private final PrintStream before = System.out;
        private final FileInputStream fill = new FileInputStream(FileDescriptor.out);
        private final boolean isPipe = isPipe();

        OfProcess() {
            super(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
            before.flush();
            System.setOut(System.err);
        }

        /** An empty pipe takes one page at least; Linux tells at either end how much is in it. */
        @Override
        boolean hasRoomFor(int length) {
            try {
                return isPipe && length <= SURE_ROOM && fill.available() == 0;
            } catch (IOException unknown) {
                return false;
            }
        }

        @Override
        void hangUp() {}

        @Override
        void giveBack() {
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

    /** Those that were handed in; they are closed. */
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
        void giveBack() {
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
