package io.mcpbridge.workers.internal.child;

import io.mcpbridge.server.ToolHandler;
import io.mcpbridge.workers.SandboxedCall;
import io.mcpbridge.workers.SandboxedTool;
import io.mcpbridge.workers.internal.frame.WorkerRequest;
import io.mcpbridge.workers.internal.frame.WorkerResponse;
import io.mcpbridge.workers.internal.frame.WorkerResponse.Status;
import io.mcpbridge.workers.internal.mark.WorkerMark;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedTransferQueue;
import org.jspecify.annotations.Nullable;

/** The program of a worker: runs the requested tools, one call at a time, until its standard input ends. */
public final class WorkerMain {
    private WorkerMain() {}

    /**
     * Runs the worker until the pool closes its input or ends.
     *
     * @param arguments {@link WorkerMark#ALONE_ARGUMENT} or nothing
     */
    public static void main(String[] arguments) throws IOException {
        // Buffered, since a plain file stream queries the length of a pipe before it reads.
        var in = new BufferedInputStream(new FileInputStream(FileDescriptor.in));
        var out = new FileOutputStream(FileDescriptor.out);
        var err = new FileOutputStream(FileDescriptor.err);
        // The output of tools goes to standard error, and their standard input is empty.
        System.setOut(System.err);
        System.setIn(InputStream.nullInputStream());
        // Created after that, since it compares the streams with the current ones.
        var leftovers = List.of(arguments).contains(WorkerMark.ALONE_ARGUMENT)
                ? CallLeakDetector.alone()
                : CallLeakDetector.amongOthers();
        var calls = new CallThread(out, err, leftovers);
        calls.start();
        readRequests(in, calls);
        leftovers.endProcesses();
        // Shutdown hooks of tools must not delay the end.
        Runtime.getRuntime().halt(0);
    }

    /**
     * Reads requests until the input ends, also while a tool runs: the end means that the pool has ended, and no call
     * may outlive the pool.
     */
    static void readRequests(InputStream in, CallThread calls) {
        try {
            for (var request = WorkerRequest.read(in); request.isPresent(); request = WorkerRequest.read(in)) {
                calls.add(request.get());
            }
        } catch (IOException broken) {
            // A pool that sends malformed requests counts as ended.
        }
    }

    /**
     * Returns its arguments. A new worker runs it a few times, so that its classes are loaded before the first real
     * call.
     */
    public static final class WarmUpTool implements SandboxedTool {

        @Override
        public Map<String, @Nullable Object> run(SandboxedCall call) {
            return call.arguments();
        }
    }

    /**
     * Runs the calls of a worker one after the other and writes their responses.
     *
     * <p>Its thread is in a thread group of its own, so that threads of a tool are found there.
     */
    static final class CallThread {
        private static final int MAX_MESSAGE = 4_000;
        private static final Path MEMORY_USE = Path.of("/proc/self/statm");

        /**
         * The assumed page size in bytes, since Java cannot query it; with larger pages, a worker seems smaller than it
         * is.
         */
        private static final long PAGE = 4096;

        private static final int OUT_OF_MEMORY = 3;
        private static final int BROKEN = 1;

        private final ThreadGroup group = new ThreadGroup("tools");
        private final LinkedTransferQueue<WorkerRequest> requests = new LinkedTransferQueue<>();
        private final Map<String, SandboxedTool> tools = new HashMap<>();
        private final OutputStream out;
        private final OutputStream err;
        private final CallLeakDetector leftovers;

        CallThread(OutputStream out, OutputStream err, CallLeakDetector leftovers) {
            this.out = out;
            this.err = err;
            this.leftovers = leftovers;
        }

        /** Starts the thread and reports that to the pool. */
        void start() throws IOException {
            var thread = new Thread(group, this::run, "tool");
            thread.setDaemon(true);
            thread.start();
            write(WorkerResponse.STARTED.toLine(0));
        }

        /** Queues a call. */
        void add(WorkerRequest request) {
            requests.add(request);
        }

        private void run() {
            try {
                while (true) {
                    write(respond(requests.take()));
                }
            } catch (IOException | InterruptedException broken) {
                // The response cannot be written and the pool waits for it; the end of the process reports the failure.
                end("cannot answer: " + broken, BROKEN);
            }
        }

        private void write(byte[] line) throws IOException {
            out.write(line);
            out.flush();
        }

        private byte[] respond(WorkerRequest request) {
            mark(request.id());
            try {
                var value = ToolHandler.jsonForm(
                        tool(request.className()).run(new RunningCall(request, System.nanoTime())));
                return line(Status.DONE, request, value);
            } catch (OutOfMemoryError full) {
                // Ends the process as the virtual machine does by itself, except if a library throws this error, such
                // as for direct buffers.
                end("Terminating due to " + full, OUT_OF_MEMORY);
                throw full;
            } catch (Throwable failed) {
                // The outermost frame of a tool: every exception is its result.
                return line(Status.FAILED, request, message(failed));
            }
        }

        private void mark(long id) {
            try {
                err.write(WorkerRequest.stderrMarker(id));
            } catch (IOException closed) {
                // A tool has closed the stream, so the marker is omitted.
            }
        }

        private SandboxedTool tool(String className) throws Exception {
            var made = tools.get(className);
            if (made == null) {
                made = make(className);
                tools.put(className, made);
            }
            return made;
        }

        private static SandboxedTool make(String className) throws Exception {
            try {
                var constructor =
                        Class.forName(className).asSubclass(SandboxedTool.class).getDeclaredConstructor();
                constructor.setAccessible(true);
                return constructor.newInstance();
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause() instanceof Exception failed ? failed : thrown;
            } catch (ClassNotFoundException absent) {
                throw new IllegalStateException(
                        "the class '%s' is not on the worker's class path".formatted(className), absent);
            }
        }

        private byte[] line(Status status, WorkerRequest request, @Nullable Object value) {
            // A tool may have left the interrupt flag set.
            var unused = Thread.interrupted();
            return new WorkerResponse(status, request.id(), residentBytes(), leftovers.describe(group), value)
                    .toLine(request.maxResultBytes());
        }

        /** The resident memory of this process in bytes as reported by Linux; 0 on other systems. */
        private static long residentBytes() {
            try {
                return Long.parseLong(Files.readString(MEMORY_USE, StandardCharsets.US_ASCII)
                                .split(" ", 3)[1])
                        * PAGE;
            } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException unknown) {
                return 0;
            }
        }

        private static String message(Throwable failed) {
            var message = failed.getMessage();
            var words = message == null || message.isBlank() ? failed.getClass().getSimpleName() : message;
            return words.length() <= MAX_MESSAGE ? words : words.substring(0, MAX_MESSAGE) + "...";
        }

        /** Ends the process with a last line on standard error. */
        private static void end(String word, int code) {
            try (var err = new FileOutputStream(FileDescriptor.err)) {
                err.write((word + "\n").getBytes(StandardCharsets.UTF_8));
            } catch (IOException closed) {
                // The exit code alone reports the end.
            } finally {
                Runtime.getRuntime().halt(code);
            }
        }

        /** The call that a tool receives. */
        private record RunningCall(WorkerRequest request, long begunAt) implements SandboxedCall {

            @Override
            public String tool() {
                return request.tool();
            }

            @Override
            public Map<String, @Nullable Object> arguments() {
                return request.arguments();
            }

            @Override
            public String correlationId() {
                return request.correlationId();
            }

            @Override
            public Duration remaining() {
                return Duration.ofNanos(Math.max(0, request.remainingNanos() - (System.nanoTime() - begunAt)));
            }
        }
    }
}
