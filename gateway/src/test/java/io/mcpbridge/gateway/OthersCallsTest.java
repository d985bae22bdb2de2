package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** H7: a client cannot affect calls or streams of another one, and does not learn that they exist. */
@Timeout(60)
class OthersCallsTest {
    private static final String LISTEN = "\"notifications\":{\"toolsListChanged\":true},";
    private static final String HANG = "\"name\":\"tool__hang\",";

    private final ToolScript script = new ToolScript("tool", "echo", "hang");

    @RegisterExtension
    final DaemonFixture fixture = DaemonFixture.serving("tool", script);

    private URI web() {
        return fixture.httpAddress();
    }

    private RawHttp hangOverHttp(int inAll) throws IOException {
        var call = RawHttp.modern(web(), Methods.TOOLS_CALL, "tool__hang", HANG);
        Eventually.holds("the call to arrive", () -> script.hanging() == inAll);
        return call;
    }

    @Test
    void cancellationByAnotherClientIsIgnoredOverAUnixSocket() throws IOException {
        var alice = fixture.client("alice");
        var bob = fixture.client("bob");
        var hanging = alice.callLater("tool__hang", "{}");
        Eventually.holds("the call to arrive", () -> script.hanging() == 1);

        bob.cancel(hanging);
        bob.cancel(MessageId.of("no such id"));
        bob.call("tool__echo", "{}");
        script.answerAll();

        assertThat(alice.answer(hanging).isError()).isFalse();
        assertThat(script.cancelled()).isEmpty();
        assertThat(bob.others()).isEmpty();
    }

    @Test
    void disconnectedClientCancelsOnlyItsOwnCallsOverAUnixSocket() throws IOException {
        var alice = fixture.client("alice");
        var bob = fixture.client("bob");
        var hanging = alice.callLater("tool__hang", "{}");
        Eventually.holds("the call to arrive", () -> script.hanging() == 1);
        bob.callLater("tool__hang", "{}");
        Eventually.holds("the other one to arrive", () -> script.hanging() == 2);

        bob.close();
        Eventually.holds(
                "the other one to be withdrawn", () -> script.cancelled().size() == 1);
        script.answerAll();

        assertThat(alice.answer(hanging).isError()).isFalse();
        assertThat(script.cancelled()).hasSize(1);
    }

    @Test
    void cancellationAndDisconnectDoNotAffectOtherCallsOverHttp() throws IOException {
        var cancellation =
                Notification.of(Methods.CANCELLED, "{\"requestId\":1}").json();
        try (var alices = hangOverHttp(1);
                var told = RawHttp.post(web(), RawHttp.headers(Methods.CANCELLED), cancellation)) {
            var bobs = hangOverHttp(2);
            assertThat(told.all()).startsWith("HTTP/1.1 202 ");
            assertThat(script.cancelled()).isEmpty();

            bobs.close();
            Eventually.holds(
                    "the other one to be withdrawn", () -> script.cancelled().size() == 1);
            script.answerAll();

            assertThat(alices.all()).startsWith("HTTP/1.1 200 ").contains("\"id\":1,\"result\"");
            assertThat(script.cancelled()).hasSize(1);
        }
    }

    @Test
    void closingAStreamWithTheSameIdDoesNotAffectAnotherOverHttp() throws Exception {
        try (var alices = RawHttp.modern(web(), Methods.SUBSCRIPTIONS_LISTEN, "", LISTEN)) {
            alices.await("acknowledged");
            var bobs = RawHttp.modern(web(), Methods.SUBSCRIPTIONS_LISTEN, "", LISTEN);
            bobs.await("acknowledged");
            bobs.close();
            Eventually.holds(
                    "the other stream to be gone",
                    () -> fixture.running().clients().size() == 1);

            fixture.unix("more", new ToolScript("more", "echo"));
            fixture.running().reload(fixture.configuration());

            alices.await("notifications/tools/list_changed");
        }
    }

    @Test
    void streamIsNotEndedByTheCancellationOfAnotherClient() throws Exception {
        var alice = fixture.client("alice");
        var bob = fixture.client("bob");
        alice.send(RawHttp.body(Methods.SUBSCRIPTIONS_LISTEN, LISTEN).replace("\"id\":1", "\"id\":\"l\"") + "\n");
        Eventually.holds("the acknowledgement", () -> alice.count(Methods.SUBSCRIPTIONS_ACKNOWLEDGED) == 1);

        bob.cancel(MessageId.of("l"));
        bob.call("tool__echo", "{}");
        fixture.unix("more", new ToolScript("more", "echo"));
        fixture.running().reload(fixture.configuration());

        Eventually.holds(
                "the change to be told",
                () -> alice.others().stream()
                        .anyMatch(message -> message.json().contains("list_changed")
                                && message.json().contains("\"io.modelcontextprotocol/subscriptionId\":\"l\"")));
        assertThat(alice.hasAnswer(MessageId.of("l"))).isFalse();
    }
}
