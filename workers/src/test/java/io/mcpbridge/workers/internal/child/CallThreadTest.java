package io.mcpbridge.workers.internal.child;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.workers.SandboxedCall;
import io.mcpbridge.workers.SandboxedTool;
import io.mcpbridge.workers.internal.child.WorkerMain.CallThread;
import io.mcpbridge.workers.internal.frame.WorkerRequest;
import io.mcpbridge.workers.internal.frame.WorkerResponse;
import io.mcpbridge.workers.internal.frame.WorkerResponse.Status;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker inside this process: requests arrive by one pipe, responses leave by the other. */
@Timeout(60)
class CallThreadTest {
    private static final int MAX_BYTES = 1_000;

    private final PipedOutputStream requests = new PipedOutputStream();
    private final PipedInputStream responses = new PipedInputStream(1 << 16);
    private Thread reader = new Thread(() -> {});

    /** Does what {@code do} says. */
    public static final class Doing implements SandboxedTool {
        private static volatile CountDownLatch end = new CountDownLatch(1);

        @Override
        public @Nullable Object run(SandboxedCall call) throws Exception {
            return switch (String.valueOf(call.arguments().get("do"))) {
                case "call" -> Map.of("tool", call.tool(), "id", call.correlationId());
                case "time" -> call.remaining().toMillis() > 1_000;
                case "large" -> "x".repeat(MAX_BYTES + 1);
                case "silent" -> throw new IllegalStateException();
                case "wordy" -> throw new IllegalStateException("y".repeat(10_000));
                case "thread" -> {
                    var stay = end;
                    new Thread(
                                    () -> {
                                        try {
                                            stay.await();
                                        } catch (InterruptedException ended) {
                                            Thread.currentThread().interrupt();
                                        }
                                    },
                                    "left")
                            .start();
                    yield "started";
                }
                case "interrupt" -> {
                    Thread.currentThread().interrupt();
                    yield "interrupted";
                }
                default -> call.arguments();
            };
        }
    }

    /** Cannot be made. */
    public static final class Unmade implements SandboxedTool {
        /** Throws. */
        public Unmade() {
            throw new IllegalStateException("no license");
        }

        @Override
        public Object run(SandboxedCall call) {
            return "never";
        }
    }

    @BeforeEach
    void start() throws IOException {
        Doing.end = new CountDownLatch(1);
        var in = new PipedInputStream(requests, 1 << 16);
        var calls = new CallThread(
                new PipedOutputStream(responses), OutputStream.nullOutputStream(), CallLeakDetector.amongOthers());
        calls.start();
        reader = new Thread(() -> WorkerMain.readRequests(in, calls));
        reader.start();
        assertThat(next().status()).isEqualTo(Status.STARTED);
    }

    @AfterEach
    void end() throws Exception {
        Doing.end.countDown();
        requests.close();
        reader.join();
    }

    private WorkerResponse next() throws IOException {
        return WorkerResponse.read(responses, 1 << 16).orElseThrow();
    }

    private WorkerResponse ask(Class<?> type, String what) throws IOException {
        return ask(type.getName(), what);
    }

    private WorkerResponse ask(String type, String what) throws IOException {
        var request = new WorkerRequest(42, type, "tool", "id", 60_000_000_000L, MAX_BYTES, Map.of("do", what));
        requests.write(request.toLine());
        requests.flush();
        var response = next();
        assertThat(response.id()).isEqualTo(42);
        return response;
    }

    @Test
    void callRunsAndItsResultIsReported() throws IOException {
        var response = ask(Doing.class, "call");

        assertThat(response.status()).isEqualTo(Status.DONE);
        assertThat(response.value()).isEqualTo(Map.of("tool", "tool", "id", "id"));
        assertThat(response.residentBytes()).isGreaterThan(10 << 20);
        assertThat(response.leftBehind()).isEmpty();
        assertThat(ask(Doing.class, "time").value()).isEqualTo(true);
        assertThat(ask(WorkerMain.WarmUpTool.class, "x").value()).isEqualTo(Map.of("do", "x"));
    }

    @Test
    void failuresAreReportedByTheirMessages() throws IOException {
        assertThat(ask(Doing.class, "silent").status()).isEqualTo(Status.FAILED);
        assertThat(ask(Doing.class, "silent").value()).isEqualTo("IllegalStateException");
        assertThat(ask(Doing.class, "wordy").value()).isEqualTo("y".repeat(4_000) + "...");
        assertThat(ask(Unmade.class, "x").value()).isEqualTo("no license");
        assertThat(ask("no.such.Tool", "x").value())
                .isEqualTo("the class 'no.such.Tool' is not on the worker's class path");
    }

    @Test
    void oversizedResultIsReported() throws IOException {
        assertThat(ask(Doing.class, "large").status()).isEqualTo(Status.TOO_LARGE);
        assertThat(ask(Doing.class, "interrupt").status()).isEqualTo(Status.DONE);
        assertThat(ask(Doing.class, "call").status()).isEqualTo(Status.DONE);
    }

    @Test
    void leftThreadIsReported() throws IOException {
        assertThat(ask(Doing.class, "thread").leftBehind()).isEqualTo("the thread 'left'");
    }

    @Test
    void malformedInputEndsTheReader() throws Exception {
        requests.write("no frame".getBytes(StandardCharsets.UTF_8));

        reader.join();
        assertThat(reader.isAlive()).isFalse();
    }
}
