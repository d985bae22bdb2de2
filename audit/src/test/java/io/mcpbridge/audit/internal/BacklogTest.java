package io.mcpbridge.audit.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.mcpbridge.audit.database.Events;
import io.mcpbridge.audit.database.TestEnvironment;
import io.mcpbridge.audit.internal.Waiting.Kind;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolDenied;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BacklogTest {
    private static final Principal ALICE = new Principal("alice", "token");
    private static final AuditedCall ECHO = new AuditedCall("tools/call", "local", "echo", "");
    private static final String LONG = "x".repeat(1 << 20);
    private static final AuditedCall LONG_NAME = new AuditedCall("tools/call", "local", LONG, "");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final FakeTimekeeper time = new FakeTimekeeper();
    private final Environment environment = TestEnvironment.at(time);
    private final Backlog backlog = new Backlog(environment);

    @Test
    void recordBeyondTheNumberThatMayWaitIsRefusedAtOnce() {
        enter(Backlog.MAX_RECORDS);

        assertThat(offered()).startsWith("The audit is behind: 8192 records");
        assertThat(backlog.size()).isEqualTo(Backlog.MAX_RECORDS);
    }

    @Test
    void recordsThatTheWriterHasCountUntilTheyAreSettled() throws Exception {
        enter(Backlog.MAX_RECORDS);
        var unused = backlog.take(512);
        assertThat(offered()).startsWith("The audit is behind");

        backlog.settled(new Losses());

        assertThat(offered()).isEqualTo("waits");
        assertThat(backlog.size()).isEqualTo(Backlog.MAX_RECORDS - 512 + 1);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("longEvents")
    void whateverOutsidersMakeLongCountsAsBytes(String name, Consumer<Backlog> event) throws Exception {
        for (int i = 0; i < 63; i++) {
            event.accept(backlog);
        }
        assertThat(offered()).isEqualTo("waits");

        event.accept(backlog);

        assertThat(backlog.size()).isEqualTo(64);
        var unused = backlog.take(512);
        backlog.settled(new Losses());
        assertThat(offered()).isEqualTo("waits");
    }

    static Stream<Arguments> longEvents() {
        return Stream.of(
                entering("arguments", new ToolEnter("a", ECHO, LONG, ALICE, "", 1)),
                entering("the name of a tool", new ToolEnter("a", LONG_NAME, "{}", ALICE, "", 1)),
                entering("the id of a client", new ToolEnter("a", ECHO, "{}", ALICE, LONG, 1)),
                entering("the name of a user", new ToolEnter("a", ECHO, "{}", new Principal(LONG, "token"), "", 1)),
                leaving(
                        "the name of a tool that ended",
                        new ToolExit("a", LONG_NAME, Principal.ANONYMOUS, "client", SECOND, 1, failed(""))),
                leaving(
                        "the message of a failure",
                        new ToolExit("a", ECHO, Principal.ANONYMOUS, "client", SECOND, 1, failed(LONG))),
                denying("the name of a tool that is denied", new ToolDenied("a", LONG_NAME, ALICE, "", "")),
                denying("the id of a client that is denied", new ToolDenied("a", ECHO, ALICE, LONG, "")),
                denying("the reason of a denial", new ToolDenied("a", ECHO, ALICE, "", LONG)),
                noting("a detail of a note", new AuditNote("odd", Map.of("what", LONG))));
    }

    private static Outcome failed(String message) {
        return Outcome.failed(Failure.of(ErrorCode.AUDIT_UNAVAILABLE, message));
    }

    private static Arguments entering(String name, ToolEnter event) {
        return arguments(name, (Consumer<Backlog>) to -> to.enter(event, new Events.Word()));
    }

    private static Arguments leaving(String name, ToolExit event) {
        return arguments(name, (Consumer<Backlog>) to -> to.exit(event, new Events.Word()));
    }

    private static Arguments denying(String name, ToolDenied event) {
        return arguments(name, (Consumer<Backlog>) to -> to.denied(event));
    }

    private static Arguments noting(String name, AuditNote note) {
        return arguments(name, (Consumer<Backlog>) to -> to.note(note));
    }

    @Test
    void gapNoteTellsOnceWhatFoundNoRoom() throws Exception {
        enter(Backlog.MAX_RECORDS);
        enter(2);
        backlog.exit(Events.exit("late"), new Events.Word());

        var taken = backlog.take(Backlog.MAX_RECORDS);

        assertThat(taken).hasSize(Backlog.MAX_RECORDS + 1);
        assertThat(body(taken.get(Backlog.MAX_RECORDS)))
                .contains("\"kind\":\"gap\"", "\"lost\":\"3\"", "\"enter\":\"2\"", "\"exit\":\"1\"");
        backlog.settled(new Losses());
        enter(1);
        assertThat(backlog.take(512)).hasSize(1);
    }

    @Test
    void gapNoteTellsWhatTheWriterLost() throws Exception {
        enter(1);
        var unused = backlog.take(512);
        var losses = new Losses();
        losses.add(Kind.ENTER);

        backlog.settled(losses);

        assertThat(backlog.take(512))
                .singleElement()
                .satisfies(gap -> assertThat(body(gap)).contains("\"lost\":\"1\""));
    }

    @Test
    void closedLineGivesWhatItHasAndTakesNothing() throws Exception {
        enter(1);

        backlog.close();

        assertThat(offered()).isEqualTo("The audit sink is closed.");
        assertThat(backlog.take(512)).hasSize(1);
        backlog.settled(new Losses());
        assertThat(backlog.take(512)).isEmpty();
    }

    @Test
    void onlyRecordsThatSomebodyWaitsForAreLate() {
        var patience = new Patience(backlog, environment, SECOND, () -> "the writer sleeps");
        var awaited = new Events.Word();
        var unawaited = new Unawaited();
        backlog.enter(Events.enter("a"), awaited);
        backlog.enter(Events.enter("b"), unawaited);
        patience.watch();

        time.advance(SECOND);

        assertThat(awaited).isCompletedWithValue("The audit record is not durable after 1000 ms: the writer sleeps");
        assertThat(unawaited.word).isNotDone();
        assertThat(time.pendingAlarms()).isZero();
        backlog.untold().forEach(each -> each.succeed(environment.logger()));
        assertThat(unawaited.word).isCompletedWithValue("durable");
    }

    private void enter(int count) {
        for (int i = 0; i < count; i++) {
            backlog.enter(Events.enter("call"), new Events.Word());
        }
    }

    /** What the next caller hears at once. */
    private String offered() {
        var word = new Events.Word();
        backlog.enter(Events.enter("next"), word);
        return word.getNow("waits");
    }

    private String body(Waiting waiting) {
        return waiting.body(AuditRecords.of(Settings.of(Map.of()), environment)).toString();
    }

    /** Hears of a record that nobody waits for. */
    private static final class Unawaited implements Completion {
        private final Events.Word word = new Events.Word();

        @Override
        public void succeeded() {
            word.succeeded();
        }

        @Override
        public void failed(Throwable why) {
            word.failed(why);
        }

        @Override
        public boolean isAwaited() {
            return false;
        }
    }
}
