package io.mcpbridge.audit.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.testkit.AuditedCallFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads of many callers make records at the same time, each as one alone would. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ManyCallersTest {
    private static final int THREADS = 8;
    private static final int CALLS = 300;

    @Test
    void concurrentCallersGetTheSameRecordsAsOne() throws Exception {
        var alone = linesOf(0, make());
        var shared = make();
        var threads = Executors.newFixedThreadPool(THREADS);
        try {
            var tasks = IntStream.range(0, THREADS)
                    .<Callable<List<String>>>mapToObj(thread -> () -> linesOf(thread, shared))
                    .toList();

            for (var lines : threads.invokeAll(tasks)) {
                assertThat(lines.get()).isEqualTo(alone);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static AuditRecords make() {
        return TestRecords.withSecrets(RecordSettings.Level.RESULT, List.of("s3cr3t-of-file"));
    }

    /** The records of calls with secrets that their results repeat; ids have the name of the thread, and lines do not. */
    private static List<String> linesOf(int thread, AuditRecords records) {
        var lines = new ArrayList<String>();
        for (int i = 0; i < CALLS; i++) {
            var id = "thread-%d-call-%03d".formatted(thread, i);
            var call = Events.call(Events.CLOSED.replace("get_issue", "get_" + i % 20));
            var enter = Events.enter(call, "{\"password\":\"hunter-%d\",\"of\":\"s3cr3t-of-file\"}".formatted(i));
            var exit = Events.answered(call, "{\"text\":\"seen: hunter-%d and s3cr3t-of-file\"}".formatted(i));
            lines.add(records.enter(
                            new ToolEnter(AuditedCallFixture.withId(enter.call(), id), enter.arguments(), "", 1),
                            Events.TIME)
                    .toString());
            lines.add(records.exit(
                            new ToolExit(
                                    AuditedCallFixture.withId(exit.call(), id), exit.duration(), 1, exit.outcome()),
                            Events.TIME)
                    .toString());
        }
        return lines.stream()
                .map(line -> line.replace("thread-" + thread, "thread"))
                .toList();
    }
}
