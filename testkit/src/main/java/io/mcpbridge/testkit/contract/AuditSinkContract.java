package io.mcpbridge.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.Durability;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.testkit.AuditedCallFixture;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Contract tests for every {@link AuditSink}. The form of the records is left to the sink's own tests.
 */
@Contract
public abstract class AuditSinkContract {
    private static final AuditedCall ECHO = AuditedCallFixture.of(
            "tools/call", "server", "echo", "{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}");

    /** Opens a sink at a location of its own. */
    protected abstract AuditSink open() throws Exception;

    /**
     * Returns all that the sink which was opened last has stored, as text with the correlation ids of the records. The
     * sink is closed. A sink that stores nothing has the durability {@code NONE} and may return the empty string.
     */
    protected abstract String stored() throws Exception;

    @Test
    void completedRecordsAreStored() throws Exception {
        Durability durability;
        var ids = IntStream.range(10, 30).mapToObj(i -> "stored-" + i).toList();

        try (var sink = open()) {
            for (var id : ids) {
                complete(enter(id), sink::enter);
                complete(exit(id), sink::exit);
            }
            durability = sink.durability();
        }

        assumeTrue(durability != Durability.NONE, "the sink stores nothing");
        var stored = stored();
        assertThat(ids).allSatisfy(id -> assertThat(stored.split(id, -1)).hasSizeGreaterThanOrEqualTo(3));
    }

    private static <E> void complete(E event, BiConsumer<E, Completion> record) {
        var completion = new RecordingCompletion();
        record.accept(event, completion);
        assertThat(completion.awaitResults()).containsExactly("succeeded");
    }

    @Test
    void callerDoesNotWaitForItsRecord() throws Exception {
        try (var sink = open()) {
            requirePromptReturn(sink);
        }
    }

    /** Fails if each of several calls makes its thread wait, or store the record itself. One may wait for a lock. */
    private static void requirePromptReturn(AuditSink sink) {
        for (int i = 0; i < 3; i++) {
            var entered = new RecordingCompletion();
            var event = enter("prompt-" + i);
            if (!WaitDetector.waits(() -> entered.call(() -> sink.enter(event, entered)), Duration.ofSeconds(1))
                    && (sink.durability() == Durability.NONE || !entered.isByCaller())) {
                return;
            }
        }
        fail(
                "'enter' waits, or stores the record on the thread of its caller: let a thread of the sink do it, and return");
    }

    @Test
    void eachRecordIsCompletedOnce() throws Exception {
        var entered = new RecordingCompletion();
        var left = new RecordingCompletion();

        try (var sink = open()) {
            sink.enter(enter("1"), entered);
            entered.awaitResults();
            sink.exit(exit("1"), left);
            left.awaitResults();
        }

        assertThat(entered.results()).containsExactly("succeeded");
        assertThat(left.results()).containsExactly("succeeded");
    }

    @Test
    void recordsOfManyThreadsAreAllCompleted() throws Exception {
        List<RecordingCompletion> completions;

        try (var sink = open()) {
            requirePromptReturn(sink);
            completions = recordFromThreads(sink, 8, 125);
            completions.forEach(RecordingCompletion::awaitResults);
        }

        assertThat(completions).hasSize(2_000);
        assertThat(completions).allSatisfy(each -> assertThat(each.results()).containsExactly("succeeded"));
    }

    @Test
    void closeCompletesPendingRecords() throws Exception {
        var completions = new ArrayList<RecordingCompletion>();

        try (var sink = open()) {
            requirePromptReturn(sink);
            for (int i = 0; i < 100; i++) {
                var completion = new RecordingCompletion();
                completions.add(completion);
                sink.enter(enter("call-" + i), completion);
            }
        }

        completions.forEach(each -> assertThat(each.awaitResults()).hasSize(1));
    }

    @Test
    void exitWithoutAnEnterIsRecorded() throws Exception {
        var failure = Failure.of(ErrorCode.INVALID_PARAMS, "schema validation failed");

        try (var sink = open()) {
            complete(
                    new ToolExit(AuditedCallFixture.withId(ECHO, "1"), Duration.ZERO, 0, Outcome.failed(failure)),
                    sink::exit);
        }
    }

    @Test
    void allKindsOfOutcomesAreRecorded() throws Exception {
        var ends = List.of(
                Outcome.answered(Response.result(MessageId.of(1), "{\"content\":[],\"isError\":true}")),
                Outcome.answered(Response.result(MessageId.of(1), "{\"resultType\":\"input_required\"}")),
                Outcome.answered(Response.error(MessageId.of(1), -32602, "no\nsuch tool", "null")),
                Outcome.failed(Failure.of(ErrorCode.IN_DOUBT, "the server left").withDelivery(Delivery.UNKNOWN)));

        try (var sink = open()) {
            for (var end : ends) {
                complete(new ToolExit(AuditedCallFixture.withId(ECHO, "1"), Duration.ofMillis(3), 2, end), sink::exit);
            }
        }
    }

    @Test
    void callWithFewDetailsIsRecorded() throws Exception {
        var call = AuditedCallFixture.of("resources/read", "", "file:///a", "");

        try (var sink = open()) {
            complete(
                    new ToolEnter(AuditedCallFixture.by(call, "1", Principal.ANONYMOUS, ""), "{}", "0", -1),
                    sink::enter);
        }
    }

    @Test
    void openSinkHasNoFault() throws Exception {
        try (var sink = open()) {
            assertThat(sink.fault()).isEmpty();
            assertThat(sink.readings()).doesNotContainNull();
        }
    }

    @Test
    void denialsAndNotesAreAccepted() throws Exception {
        try (var sink = open()) {
            assertThatCode(() -> {
                        sink.denied(new ToolDenied(AuditedCallFixture.withId(ECHO, "1"), "mode READONLY"));
                        sink.note(new AuditNote("peer-refused", Map.of("uid", "1001")));
                    })
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void oddCharactersAreRecorded() throws Exception {
        var odd = "line\r\n\u001b[31m\u202e\uD800 🚀";

        try (var sink = open()) {
            var call = AuditedCallFixture.of(odd, odd, odd, "{\"name\":\"\\n\\ud800\"}");
            var arguments = "{\"text\":\"\\n\\ud800\"}";
            var principal = new Principal(odd, "token");
            complete(new ToolEnter(AuditedCallFixture.by(call, odd, principal, odd), arguments, odd, 1), sink::enter);
        }
    }

    @Test
    void recordAfterCloseIsCompletedAndDoesNotThrow() throws Exception {
        var entered = new RecordingCompletion();
        var sink = open();
        sink.close();

        assertThatCode(() -> sink.enter(enter("1"), entered)).doesNotThrowAnyException();

        assertThat(entered.awaitResults()).hasSize(1);
    }

    @Test
    void closingTwiceIsHarmless() throws Exception {
        var sink = open();

        assertThatCode(() -> {
                    sink.close();
                    sink.close();
                })
                .doesNotThrowAnyException();
    }

    @Test
    void nothingIsLeftBehind() throws Exception {
        var before = LeakCheck.now();

        try (var sink = open()) {
            sink.enter(enter("1"), new RecordingCompletion());
        }

        before.assertNothingLeft();
    }

    private static List<RecordingCompletion> recordFromThreads(AuditSink sink, int threads, int calls)
            throws InterruptedException {
        var completions = new ConcurrentLinkedQueue<RecordingCompletion>();
        ParallelThreads.run(threads, () -> record(sink, Thread.currentThread().getName(), calls, completions));
        return List.copyOf(completions);
    }

    private static void record(
            AuditSink sink, String writer, int calls, ConcurrentLinkedQueue<RecordingCompletion> completions) {
        for (int i = 0; i < calls; i++) {
            var entered = new RecordingCompletion();
            var left = new RecordingCompletion();
            sink.enter(enter(writer + "-" + i), entered);
            sink.exit(exit(writer + "-" + i), left);
            completions.add(entered);
            completions.add(left);
        }
    }

    private static ToolEnter enter(String correlationId) {
        var arguments = "{\"text\":\"hi\"}";
        return new ToolEnter(AuditedCallFixture.withId(ECHO, correlationId), arguments, "", 1);
    }

    private static ToolExit exit(String correlationId) {
        var answer = Response.result(MessageId.of(1), "{\"content\":[]}");
        return new ToolExit(
                AuditedCallFixture.withId(ECHO, correlationId), Duration.ofMillis(3), 1, Outcome.answered(answer));
    }

    /** Records the results that an audit sink reports for one record. */
    static final class RecordingCompletion implements Completion {
        private final List<String> results = new CopyOnWriteArrayList<>();
        private volatile @Nullable Thread caller;
        private volatile boolean isByCaller;

        /** Runs {@code recording}, whose thread is the caller of the sink. */
        void call(Runnable recording) {
            caller = Thread.currentThread();
            recording.run();
        }

        /** Whether the record succeeded on the thread of the caller. */
        boolean isByCaller() {
            return isByCaller;
        }

        @Override
        public void succeeded() {
            isByCaller = Thread.currentThread().equals(caller);
            results.add("succeeded");
        }

        @Override
        public void failed(Throwable why) {
            results.add("failed: " + why);
        }

        List<String> results() {
            return List.copyOf(results);
        }

        List<String> awaitResults() {
            Eventually.holds("the result of a record", () -> !results.isEmpty());
            return results();
        }
    }
}
