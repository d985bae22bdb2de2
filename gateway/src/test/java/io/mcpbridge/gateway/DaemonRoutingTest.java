package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.testkit.Eventually;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages of a call reach the calling client only. */
@Timeout(60)
class DaemonRoutingTest {
    private final ToolScript script = new ToolScript("tool", "echo", "hang", "steps", "fail");

    @RegisterExtension
    final DaemonFixture fixture = DaemonFixture.serving("tool", script);

    @Test
    void progressReachesOnlyTheCallerWithItsToken() throws Exception {
        var one = fixture.client("one");
        var other = fixture.client("other");

        one.answer(one.request(Methods.TOOLS_CALL, steps("\"mine\"")));
        other.answer(other.request(Methods.TOOLS_CALL, steps("7")));

        assertThat(tokens(one)).containsExactly("\"mine\"", "\"mine\"", "\"mine\"");
        assertThat(tokens(other)).containsExactly("7", "7", "7");
    }

    @Test
    void cancellationEndsOnlyTheClientsOwnCall() throws Exception {
        var one = fixture.client("one");
        var other = fixture.client("other");
        var mine = one.callLater("tool__hang", "{}");
        var theirs = other.callLater("tool__hang", "{}");
        assertThat(mine).isEqualTo(theirs);
        Eventually.holds("both calls to arrive", () -> script.hanging() == 2);

        one.cancel(mine);

        Eventually.holds("the cancellation to arrive", () -> script.cancelled().size() == 1);
        script.answerAll();
        assertThat(other.answer(theirs).isError()).isFalse();
        assertThat(one.call("tool__echo", "{}").isError()).isFalse();
        assertThat(one.hasAnswer(mine)).isFalse();
    }

    @Test
    void embeddedRequestInABodyIsNotExecuted() throws Exception {
        var http = HttpTestClient.initialized(fixture.httpAddress());
        var smuggled = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"fail\"}}";

        var answer = http.call("tool__echo", "{\r\n  \"inner\":\n" + smuggled + "\n}");

        assertThat(answer).contains("\"result\"", "\"inner\":");
        assertThat(script.calls()).containsExactly("echo");
    }

    @Test
    void cancellationOfAnUnknownIdIsIgnored() throws Exception {
        var client = fixture.client("one");

        client.cancel(MessageId.of(99));
        client.cancel(MessageId.of("never"));

        assertThat(client.call("tool__echo", "{}").isError()).isFalse();
        assertThat(script.cancelled()).isEmpty();
    }

    @Test
    void callsOfADisconnectedClientAreCancelled() throws Exception {
        var leaving = fixture.client("leaving");
        var staying = fixture.client("staying");
        leaving.callLater("tool__hang", "{}");
        var kept = staying.callLater("tool__hang", "{}");
        Eventually.holds("both calls to arrive", () -> script.hanging() == 2);

        leaving.close();

        Eventually.holds("one cancellation", () -> script.cancelled().size() == 1);
        script.answerAll();
        assertThat(staying.answer(kept).isError()).isFalse();
    }

    @Test
    void serverErrorIsForwardedUnderTheClientsId() throws Exception {
        var client = fixture.client("one");

        var refused = client.call("tool__fail", "{\"odd\": 1.50}");

        assertThat(refused.raw(MessageField.ERROR_CODE)).contains("-32050");
        assertThat(refused.raw(MessageField.ERROR_DATA)).contains("{\"odd\": 1.50}");
    }

    @Test
    void idInUseIsRejectedAndTheFirstCallIsUnaffected() throws Exception {
        var client = fixture.client("one");
        var first = client.callLater("tool__hang", "{}");
        Eventually.holds("the call to arrive", () -> script.hanging() == 1);

        client.send(Request.of(first, Methods.TOOLS_LIST, "{}"));

        assertThat(client.answer(first).raw(MessageField.ERROR_MESSAGE))
                .hasValueSatisfying(words -> assertThat(words).contains("in use"));
        assertThat(script.cancelled()).isEmpty();
        assertThat(script.answerOne()).isTrue();
    }

    private static String steps(String token) {
        return "{\"name\":%s,\"arguments\":{},\"_meta\":{\"progressToken\":%s}}"
                .formatted(JsonStrings.quote("tool__steps"), token);
    }

    private static List<String> tokens(LineClient client) {
        return client.others().stream()
                .map((Message message) ->
                        message.raw(MessageField.PROGRESS_TOKEN).orElse("none"))
                .toList();
    }
}
