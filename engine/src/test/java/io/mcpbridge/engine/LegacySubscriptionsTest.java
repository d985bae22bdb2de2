package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A legacy server gets one subscription per resource and one log level, again after a reconnect. */
class LegacySubscriptionsTest {
    private static final String URI = "file:///a";
    private static final Notification LINE =
            Notification.of(Methods.LOG_MESSAGE, "{\"level\":\"info\",\"data\":\"a line\"}");

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
    void serverReceivesOneSubscribeForAllClients() {
        var first = subscribe(alice);
        var second = subscribe(bob);
        answer(Methods.RESOURCES_SUBSCRIBE);
        var third = subscribe(alice);

        assertThat(List.of(first, second, third))
                .allSatisfy(reply -> assertThat(reply.awaitAnswer().isError()).isFalse());
        assertThat(sent(Methods.RESOURCES_SUBSCRIBE)).hasSize(1);
    }

    @Test
    void gaugesShowSubscriptionsSessionsAndLogLevel() {
        assertThat(shown()).containsEntry("subscriptions.resources", 0.0).containsEntry("sessions.open", 0.0);

        subscribe(alice);
        answer(Methods.RESOURCES_SUBSCRIBE);

        assertThat(shown())
                .containsEntry("subscriptions.resources", 1.0)
                .containsEntry("sessions.open", 1.0)
                .containsEntry("sessions.kinds", 1.0)
                .containsEntry("log.level", -1.0);
    }

    @Test
    void changeReachesAllItsSubscribersAndNoOther() {
        subscribe(alice);
        subscribe(bob);
        answer(Methods.RESOURCES_SUBSCRIBE);

        update(URI);
        update(URI + "/part");
        update("file:///ab");

        assertThat(alice.heard()).hasSize(2);
        assertThat(bob.heard()).hasSize(2);
        assertThat(bench.upstream().status().dropped()).isEqualTo(1);
    }

    @Test
    void logMessagesOutsideCallsReachTheOnlySubscriber() {
        subscribe(alice);
        answer(Methods.RESOURCES_SUBSCRIBE);

        bench.connection().receive(LINE);
        alice.leave();
        bench.connection().receive(LINE);

        assertThat(alice.heard()).containsExactly(LINE);
        assertThat(bench.upstream().status().dropped()).isEqualTo(1);
    }

    @Test
    void logMessagesOutsideCallsReachNeitherOfTwoSubscribers() {
        subscribe(alice);
        subscribe(bob);
        answer(Methods.RESOURCES_SUBSCRIBE);

        bench.connection().receive(LINE);

        assertThat(alice.heard()).isEmpty();
        assertThat(bob.heard()).isEmpty();
        assertThat(bench.upstream().status().dropped()).isEqualTo(1);
    }

    @Test
    void logMessagesThatMayBelongToACancelledCallReachNoSubscriber() {
        subscribe(alice);
        answer(Methods.RESOURCES_SUBSCRIBE);
        var call = bench.call(Methods.TOOLS_CALL, "{\"name\":\"x\"}", OneServer.client("bob"));
        bench.send(call);
        bench.connection().write(bench.connection().last());
        call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);

        bench.connection().receive(LINE);

        assertThat(alice.heard()).isEmpty();
    }

    @Test
    void logMessagesOutsideCallsReachTheClientThatOwnsTheSession() {
        var caller = OneServer.client("alice")
                .withCapabilities(LeasingClients.CAPABILITIES)
                .withClient((call, reply) -> {})
                .withNotificationSink(alice);
        bench.send(bench.call(Methods.TOOLS_CALL, "{\"name\":\"x\"}", caller));
        LeasingClients.answerAll(bench.connection());

        bench.connection().receive(LINE);

        assertThat(alice.heard()).containsExactly(LINE);
    }

    @Test
    void serverIsUnsubscribedWhenTheLastClientLeaves() {
        subscribe(alice);
        subscribe(bob);
        answer(Methods.RESOURCES_SUBSCRIBE);

        alice.leave();
        assertThat(sent(Methods.RESOURCES_UNSUBSCRIBE)).isEmpty();
        bob.leave();

        assertThat(sent(Methods.RESOURCES_UNSUBSCRIBE)).hasSize(1);
    }

    @Test
    void rejectionReachesTheSubscriberAndIsNotCached() {
        var reply = subscribe(alice);
        var asked = sent(Methods.RESOURCES_SUBSCRIBE).get(0);
        bench.connection().receive(Response.error(((Request) asked.message()).id(), -32002, "no such thing"));

        subscribe(alice);

        assertThat(reply.awaitAnswer().json()).contains("no such thing");
        assertThat(sent(Methods.RESOURCES_SUBSCRIBE)).hasSize(2);
    }

    @Test
    void clientThatLeavesBeforeTheAnswerIsUnsubscribed() {
        subscribe(alice);
        alice.leave();

        answer(Methods.RESOURCES_SUBSCRIBE);

        assertThat(sent(Methods.RESOURCES_UNSUBSCRIBE)).hasSize(1);
    }

    @Test
    void serverIsReconnectedAndSubscriptionsAreRestored() {
        subscribe(alice);
        answer(Methods.RESOURCES_SUBSCRIBE);

        bench.connection().end(Closed.disconnected("restarted"));
        bench.time.advance(Duration.ofMinutes(1));

        assertThat(bench.server.connections()).hasSize(2);
        assertThat(sent(Methods.RESOURCES_SUBSCRIBE)).hasSize(1);
    }

    @Test
    void lowestRequestedLevelIsSentOnce() {
        callAt(LogLevel.WARNING);
        answer(Methods.LOGGING_SET_LEVEL);
        callAt(LogLevel.ERROR);
        callAt(LogLevel.DEBUG);
        callAt(LogLevel.DEBUG);

        assertThat(sent(Methods.LOGGING_SET_LEVEL))
                .extracting(out -> out.message().json())
                .satisfiesExactly(
                        first -> assertThat(first).contains("\"warning\""),
                        second -> assertThat(second).contains("\"debug\""));
    }

    @Test
    void logLevelIsSentToTheNextConnection() {
        callAt(LogLevel.INFO);
        bench.connection().end(Closed.disconnected("restarted"));
        bench.time.advance(Duration.ofMinutes(1));

        callAt(LogLevel.INFO);

        assertThat(bench.server.connections()).hasSize(2);
        assertThat(sent(Methods.LOGGING_SET_LEVEL)).hasSize(1);
    }

    @Test
    void serverWithoutLoggingGetsNoLogLevel() {
        bench.server.declare("{}");

        callAt(LogLevel.INFO);

        assertThat(sent(Methods.LOGGING_SET_LEVEL)).isEmpty();
    }

    private void callAt(LogLevel level) {
        var caller = Caller.ANONYMOUS.withSession("alice").withLogLevel(level);
        bench.send(bench.call(Methods.TOOLS_CALL, "{\"name\":\"echo\"}", caller));
    }

    private RecordingReply subscribe(RecordingAudience audience) {
        var reply = new RecordingReply();
        var call = bench.call(Methods.RESOURCES_SUBSCRIBE, "{\"uri\":\"" + URI + "\"}", OneServer.client("alice"));
        bench.upstream().subscriptions().add(OneServer.context(call, reply), URI, audience);
        return reply;
    }

    private void answer(String method) {
        bench.connection().answer(sent(method).get(0), "{}");
    }

    private void update(String uri) {
        bench.connection().receive(Notification.of(Methods.RESOURCES_UPDATED, "{\"uri\":\"" + uri + "\"}"));
    }

    private List<Outgoing> sent(String method) {
        return bench.connection().requests().stream()
                .filter(out -> ((Request) out.message()).method().equals(method))
                .toList();
    }

    private Map<String, Double> shown() {
        return bench.upstream().readings().stream().collect(Collectors.toMap(GaugeReading::name, GaugeReading::value));
    }
}
