package io.mcpbridge.sandbox.worker.internal.child;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.sandbox.worker.SandboxedCall;
import io.mcpbridge.sandbox.worker.SandboxedTool;
import io.mcpbridge.sandbox.worker.internal.frame.Frame;
import io.mcpbridge.sandbox.worker.internal.frame.Frame.Kind;
import io.mcpbridge.sandbox.worker.internal.frame.Order;
import io.mcpbridge.sandbox.worker.internal.frame.Report;
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

/** What a worker does, in this process: orders go in by one pipe, answers come out of the other. */
@Timeout(60)
class CallThreadTest {
    private static final int MOST_BYTES = 1_000;

    private final PipedOutputStream orders = new PipedOutputStream();
    private final PipedInputStream answers = new PipedInputStream(1 << 16);
    private Thread reader = new Thread(() -> {});

    /** Does what {@code do} says. */
    public static final class Doing implements SandboxedTool {
        private static final CountDownLatch END = new CountDownLatch(1);

        @Override
        public @Nullable Object run(SandboxedCall call) throws Exception {
            return switch (String.valueOf(call.arguments().get("do"))) {
                case "call" -> Map.of("tool", call.tool(), "id", call.correlationId());
                case "time" -> call.remaining().toMillis() > 1_000;
                case "large" -> "x".repeat(MOST_BYTES + 1);
                case "silent" -> throw new IllegalStateException();
                case "wordy" -> throw new IllegalStateException("y".repeat(10_000));
                case "thread" -> {
                    new Thread(
                                    () -> {
                                        try {
                                            END.await();
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
        var in = new PipedInputStream(orders, 1 << 16);
        var runner =
                new CallThread(new PipedOutputStream(answers), OutputStream.nullOutputStream(), Orphans.amongOthers());
        runner.start();
        reader = new Thread(() -> new OrderReader(in, runner).read());
        reader.start();
        assertThat(next().kind()).isEqualTo(Kind.HELLO);
    }

    @AfterEach
    void end() throws Exception {
        Doing.END.countDown();
        orders.close();
        reader.join();
    }

    private Frame next() throws IOException {
        return Frame.readFrom(answers, 1 << 16).orElseThrow();
    }

    private Frame ask(Class<?> type, String what) throws IOException {
        return ask(type.getName(), what);
    }

    private Frame ask(String type, String what) throws IOException {
        var order = new Order(type, "tool", "id", 60_000_000_000L, MOST_BYTES, Map.of("do", what));
        new Frame(Kind.CALL, 42, order.written()).writeTo(orders);
        var answer = next();
        assertThat(answer.number()).isEqualTo(42);
        return answer;
    }

    private static Report report(Frame answer) throws IOException {
        return Report.read(answer.payload());
    }

    @Test
    void callIsRunAndItsResultReported() throws IOException {
        var answer = ask(Doing.class, "call");

        assertThat(answer.kind()).isEqualTo(Kind.DONE);
        assertThat(report(answer).value()).isEqualTo(Map.of("tool", "tool", "id", "id"));
        assertThat(report(answer).residentBytes()).isGreaterThan(10 << 20);
        assertThat(report(answer).leftBehind()).isEmpty();
        assertThat(report(ask(Doing.class, "time")).value()).isEqualTo(true);
        assertThat(report(ask(Nothing.class, "x")).value()).isEqualTo(Map.of("do", "x"));
    }

    @Test
    void failuresAreReportedInWords() throws IOException {
        assertThat(ask(Doing.class, "silent").kind()).isEqualTo(Kind.FAILED);
        assertThat(report(ask(Doing.class, "silent")).value()).isEqualTo("IllegalStateException");
        assertThat(report(ask(Doing.class, "wordy")).value()).isEqualTo("y".repeat(4_000) + "...");
        assertThat(report(ask(Unmade.class, "x")).value()).isEqualTo("no license");
        assertThat(report(ask("no.such.Tool", "x")).value())
                .isEqualTo("the class 'no.such.Tool' is not on the worker's class path");
    }

    @Test
    void resultThatIsTooLargeIsReportedAsSuch() throws IOException {
        assertThat(ask(Doing.class, "large").kind()).isEqualTo(Kind.TOO_LARGE);
        assertThat(ask(Doing.class, "interrupt").kind()).isEqualTo(Kind.DONE);
        assertThat(ask(Doing.class, "call").kind()).isEqualTo(Kind.DONE);
    }

    @Test
    void whatACallLeavesRunningIsReported() throws IOException {
        assertThat(report(ask(Doing.class, "thread")).leftBehind()).isEqualTo("the thread 'left'");
    }

    @Test
    void inputThatIsNoOrderEndsTheReading() throws Exception {
        orders.write("no frame".getBytes(StandardCharsets.UTF_8));

        reader.join();
        assertThat(reader.isAlive()).isFalse();
    }
}
