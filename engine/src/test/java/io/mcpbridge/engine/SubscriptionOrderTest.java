package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A legacy server gets one request per resource at a time, so that no earlier one overtakes a later one. */
class SubscriptionOrderTest {
    private static final String URI = "file:///a";
    private static final Set<String> OURS =
            Set.of(Methods.RESOURCES_SUBSCRIBE, Methods.RESOURCES_UNSUBSCRIBE, Methods.LOGGING_SET_LEVEL);

    private final OneServer bench = OneServer.reconnecting();
    private final RecordingAudience alice = new RecordingAudience();
    private final RecordingAudience bob = new RecordingAudience();

    @BeforeEach
    void declare() {
        bench.server.declare("{\"resources\":{\"subscribe\":true},\"logging\":{}}");
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void subscriptionDuringAnUnsubscribeIsSentAfterItsAnswer() {
        subscribe(alice);
        answerLast();
        alice.leave();

        var late = subscribe(bob);
        assertThat(asked()).containsExactly(Methods.RESOURCES_SUBSCRIBE, Methods.RESOURCES_UNSUBSCRIBE);
        answerLast();
        assertThat(late.isDone()).isFalse();
        answerLast();

        assertThat(late.awaitAnswer().isError()).isFalse();
        assertThat(asked())
                .containsExactly(
                        Methods.RESOURCES_SUBSCRIBE, Methods.RESOURCES_UNSUBSCRIBE, Methods.RESOURCES_SUBSCRIBE);
    }

    @Test
    void subscribeAndLeaveDuringAnUnsubscribeHasNoEffect() {
        subscribe(alice);
        answerLast();
        alice.leave();
        subscribe(bob);
        bob.leave();

        answerLast();

        assertThat(asked()).containsExactly(Methods.RESOURCES_SUBSCRIBE, Methods.RESOURCES_UNSUBSCRIBE);
    }

    @Test
    void subscriberDuringAPendingSubscribeNeedsNoSecondRequest() {
        subscribe(alice);
        alice.leave();

        var late = subscribe(bob);
        answerLast();

        assertThat(late.awaitAnswer().isError()).isFalse();
        assertThat(asked()).containsExactly(Methods.RESOURCES_SUBSCRIBE);
    }

    @Test
    void unansweredUnsubscribeTimesOutAndTheNextSubscribeIsSent() {
        subscribe(alice);
        answerLast();
        alice.leave();
        subscribe(bob);

        bench.time.advance(OneServer.TIMEOUT);

        assertThat(asked())
                .containsExactly(
                        Methods.RESOURCES_SUBSCRIBE, Methods.RESOURCES_UNSUBSCRIBE, Methods.RESOURCES_SUBSCRIBE);
    }

    @Test
    void clientThatLeavesDuringARestoredSubscribeIsUnsubscribedAfterwards() {
        subscribe(alice);
        answerLast();
        bench.connection().end(Closed.disconnected("restarted"));
        bench.time.advance(Duration.ofSeconds(20));

        alice.leave();
        assertThat(asked()).containsExactly(Methods.RESOURCES_SUBSCRIBE);
        answerLast();

        assertThat(asked()).containsExactly(Methods.RESOURCES_SUBSCRIBE, Methods.RESOURCES_UNSUBSCRIBE);
    }

    @Test
    void rejectionOfARestoredSubscribeReachesOnlyTheNewSubscriber() {
        subscribe(alice);
        answerLast();
        bench.connection().end(Closed.disconnected("restarted"));
        bench.time.advance(Duration.ofSeconds(20));
        var late = subscribe(bob);

        bench.connection().receive(Response.error(id(last()), -32603, "not any more"));

        assertThat(late.awaitAnswer().json()).contains("not any more");
        assertThat(bench.upstream().subscriptions().count(alice)).isEqualTo(1);
        assertThat(bench.upstream().subscriptions().count(bob)).isZero();
    }

    @Test
    void repeatedSubscribeThatIsCancelledKeepsTheSubscription() {
        subscribe(alice);
        answerLast();
        bench.connection().end(Closed.disconnected("restarted"));
        bench.time.advance(Duration.ofSeconds(20));
        var again = call();
        bench.upstream().subscriptions().add(OneServer.context(again, new RecordingReply()), URI, alice);

        again.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
        answerLast();

        assertThat(bench.upstream().subscriptions().count(alice)).isEqualTo(1);
    }

    @Test
    void repeatedSubscribeThatIsRejectedKeepsTheSubscription() {
        subscribe(alice);
        answerLast();
        bench.connection().end(Closed.disconnected("restarted"));
        bench.time.advance(Duration.ofSeconds(20));
        subscribe(alice);

        bench.connection().receive(Response.error(id(last()), -32603, "not any more"));

        assertThat(bench.upstream().subscriptions().count(alice)).isEqualTo(1);
    }

    @Test
    void repeatedSubscribeAndUnsubscribeLeavesNoState() {
        for (int i = 0; i < 100; i++) {
            subscribe(alice);
            answerLast();
            bench.upstream().subscriptions().remove(URI, alice);
            answerLast();
        }

        assertThat(alice.awaited()).isZero();
        assertThat(bench.upstream().subscriptions().count(alice)).isZero();
        assertThat(asked()).hasSize(200);
    }

    @Test
    void levelsInQuickSuccessionAreSentInOrderAndTheLastWins() {
        callAt(LogLevel.WARNING);
        callAt(LogLevel.INFO);
        callAt(LogLevel.DEBUG);
        assertThat(levels()).containsExactly("warning");

        answer(settings().get(0));
        answer(settings().get(1));

        assertThat(levels()).containsExactly("warning", "debug");
    }

    @Test
    void serverThatDoesNotAnswerGetsTheNextLevelAfterTheTimeout() {
        callAt(LogLevel.WARNING);
        callAt(LogLevel.DEBUG);

        bench.time.advance(Duration.ofSeconds(30));

        assertThat(levels()).containsExactly("warning", "debug");
    }

    private void callAt(LogLevel level) {
        var caller = Caller.ANONYMOUS.withSession("alice").withLogLevel(level);
        bench.send(bench.call(Methods.TOOLS_CALL, "{\"name\":\"echo\"}", caller));
    }

    private Call call() {
        return bench.call(Methods.RESOURCES_SUBSCRIBE, "{\"uri\":\"" + URI + "\"}", OneServer.client("alice"));
    }

    private RecordingReply subscribe(RecordingAudience audience) {
        var reply = new RecordingReply();
        bench.upstream().subscriptions().add(OneServer.context(call(), reply), URI, audience);
        return reply;
    }

    private void answerLast() {
        answer(last());
    }

    private void answer(Outgoing out) {
        bench.connection().answer(out, "{}");
    }

    private Outgoing last() {
        var all = requests();
        return all.get(all.size() - 1);
    }

    private List<Outgoing> settings() {
        return requests().stream()
                .filter(out -> method(out).equals(Methods.LOGGING_SET_LEVEL))
                .toList();
    }

    private List<String> levels() {
        return settings().stream()
                .map(out -> out.message().json().replaceAll(".*\"level\":\"(\\w+)\".*", "$1"))
                .toList();
    }

    private List<String> asked() {
        return requests().stream().map(SubscriptionOrderTest::method).toList();
    }

    private List<Outgoing> requests() {
        return bench.connection().requests().stream()
                .filter(out -> OURS.contains(method(out)))
                .toList();
    }

    private static String method(Outgoing out) {
        return ((Request) out.message()).method();
    }

    private static MessageId id(Outgoing out) {
        return ((Request) out.message()).id();
    }
}
