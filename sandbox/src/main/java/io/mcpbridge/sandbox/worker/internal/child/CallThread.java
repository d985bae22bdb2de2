package io.mcpbridge.sandbox.worker.internal.child;

import io.mcpbridge.sandbox.worker.internal.frame.CallMark;
import io.mcpbridge.sandbox.worker.internal.frame.Frame;
import io.mcpbridge.sandbox.worker.internal.frame.Frame.Kind;
import io.mcpbridge.sandbox.worker.internal.frame.FullException;
import io.mcpbridge.sandbox.worker.internal.frame.Order;
import io.mcpbridge.sandbox.worker.internal.frame.Report;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedTransferQueue;
import org.jspecify.annotations.Nullable;

/** Runs the calls one after the other, on a thread in a group of its own, so that what they leave behind is seen. */
final class CallThread {
    /** What a failure may say. */
    private static final int MOST_WORDS = 16_384;

    private static final int FIRST_WORDS = 4_000;
    private static final int OUT_OF_MEMORY = 3;
    private static final int BROKEN = 1;

    private final ThreadGroup group = new ThreadGroup("tools");
    private final LinkedTransferQueue<Frame> orders = new LinkedTransferQueue<>();
    private final ResidentSize size = ResidentSize.open();
    private final Tools tools = new Tools();
    private final OutputStream out;
    private final OutputStream err;
    private final Orphans orphans;
    private final List<Object> standard = standardStreams();
    private final Thread thread;

    CallThread(OutputStream out, OutputStream err, Orphans orphans) {
        this.out = out;
        this.err = err;
        this.orphans = orphans;
        this.thread = new Thread(group, this::run, "tool");
        this.thread.setDaemon(true);
    }

    /** Begins, and tells the pool so. */
    void start() throws IOException {
        thread.start();
        new Frame(Kind.HELLO, 0, ByteBuffer.allocate(0)).writeTo(out);
    }

    /** Runs a call when those before it have ended. */
    void take(Frame order) {
        orders.add(order);
    }

    private void run() {
        try {
            while (true) {
                answer(orders.take()).writeTo(out);
            }
        } catch (IOException | InterruptedException broken) {
            // Somebody waits for an answer that cannot be given; the end of the process tells that too.
            end("cannot answer: " + broken, BROKEN);
        }
    }

    private Frame answer(Frame frame) throws IOException {
        var order = Order.read(frame.payload());
        mark(frame.number());
        try {
            var value = tools.run(order);
            return done(frame.number(), order, value);
        } catch (OutOfMemoryError full) {
            // As the virtual machine ends it: some memory is counted by libraries, such as that of direct buffers.
            end("Terminating due to " + full, OUT_OF_MEMORY);
            throw full;
        } catch (FullException full) {
            return new Frame(
                    Kind.TOO_LARGE, frame.number(), report(order.mostBytes()).written(MOST_WORDS));
        } catch (Throwable failed) {
            // The outermost frame of a tool: whatever it throws is its result. Running out of memory ends the process.
            return new Frame(Kind.FAILED, frame.number(), report(words(failed)).written(MOST_WORDS));
        }
    }

    private void mark(long number) {
        try {
            err.write(CallMark.of(number));
        } catch (IOException closed) {
            // By a tool; then nothing is said there any more.
        }
    }

    private Frame done(long number, Order order, @Nullable Object value) {
        var report = report(value);
        return new Frame(Kind.DONE, number, report.written(order.mostBytes()));
    }

    private Report report(@Nullable Object value) {
        var unused = Thread.interrupted();
        return new Report(size.bytes(), leftBehind(), value);
    }

    private String leftBehind() {
        for (var each : Threads.in(group)) {
            if (each != thread) {
                return "the thread '%s'".formatted(each.getName());
            }
        }
        if (!standardStreams().equals(standard)) {
            return "a standard stream of its own";
        }
        if (!areOpen()) {
            return "a standard stream that is closed";
        }
        var processes = orphans.count();
        return processes == 0 ? "" : "%d processes".formatted(processes);
    }

    private static List<Object> standardStreams() {
        return Arrays.asList(System.in, System.out, System.err);
    }

    /** Whoever closes one of these files of the process ends its way to or from the pool. */
    private static boolean areOpen() {
        return FileDescriptor.in.valid() && FileDescriptor.out.valid() && FileDescriptor.err.valid();
    }

    /** Ends the process, with a last word. */
    private static void end(String word, int code) {
        try (var err = new FileOutputStream(FileDescriptor.err)) {
            err.write((word + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException closed) {
            // Then the exit code has to do.
        } finally {
            Runtime.getRuntime().halt(code);
        }
    }

    private static String words(Throwable failed) {
        var message = failed.getMessage();
        var words = message == null || message.isBlank() ? failed.getClass().getSimpleName() : message;
        return words.length() <= FIRST_WORDS ? words : words.substring(0, FIRST_WORDS) + "...";
    }
}
