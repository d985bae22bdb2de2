package io.mcpbridge.retry.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.testkit.HeldHandler;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageFixture;
import io.mcpbridge.tool.ToolHints;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses are cached for the time and the users that the server or the operator states. */
@Timeout(60)
class CacheStageTest {
    private static final String PUBLIC = "{\"contents\":[],\"ttlMs\":1000,\"cacheScope\":\"public\"}";
    private static final String PRIVATE = "{\"contents\":[],\"ttlMs\":1000,\"cacheScope\":\"private\"}";
    private static final String URI = "{\"uri\":\"file:///a\"}";
    private static final String RESULT = "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}";

    private final StageFixture calls = new StageFixture();
    private final HeldHandler server = new HeldHandler();
    private Consumer<String> changes = change -> {};
    private ToolHints hints = new ToolHints(true, false, true, false, ToolHints.Source.TRUSTED);
    private final CacheStage stage = stage(new CacheSettings(Map.of("get", Duration.ofSeconds(30)), 3, 2_000));

    @Test
    void responseIsCachedForItsTimeToLive() {
        ask(read("anna"), PUBLIC);
        calls.time().advance(Duration.ofMillis(999));

        var again = send(read("anna"));

        assertThat(again.awaitAnswer().json()).contains("\"contents\":[]");
        assertThat(server.calls()).hasSize(1);
        calls.time().advance(Duration.ofMillis(1));
        send(read("anna"));
        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void clientReceivesTheRemainingTimeToLive() {
        ask(read("anna"), PUBLIC);
        calls.time().advance(Duration.ofMillis(400));

        assertThat(send(read("anna")).awaitAnswer().json()).contains("\"ttlMs\":600");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "{\"contents\":[]}",
                "{\"contents\":[],\"ttlMs\":0}",
                "{\"contents\":[],\"ttlMs\":-5}",
                "{\"contents\":[],\"ttlMs\":\"1000\"}",
                "{\"resultType\":\"input_required\",\"ttlMs\":1000}",
                "{\"requestState\":\"s\",\"ttlMs\":1000}"
            })
    void responseWithoutTtlOrWithInputRequestIsNotCached(String result) {
        ask(read("anna"), result);

        send(read("anna"));

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void privateResponseServesItsUserOnly() {
        ask(read("anna"), PRIVATE);

        send(read("ben"));
        send(read("anna"));

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void publicResponseServesAllUsers() {
        ask(read("anna"), PUBLIC);

        assertThat(send(read("ben")).isDone()).isTrue();
    }

    @Test
    void responseWithoutScopeIsPrivate() {
        ask(read("anna"), "{\"contents\":[],\"ttlMs\":1000}");

        assertThat(send(read("ben")).isDone()).isFalse();
        assertThat(send(read("anna")).isDone()).isTrue();
    }

    @Test
    void toolResultIsCachedForTheConfiguredTime() {
        ask(tool("get", "{\"id\":1}"), RESULT);

        assertThat(send(tool("get", "{\"id\":1}")).isDone()).isTrue();
        assertThat(send(tool("get", "{\"id\":2}")).isDone()).isFalse();
        assertThat(send(tool("other", "{\"id\":1}")).isDone()).isFalse();
        calls.time().advance(Duration.ofSeconds(30));
        assertThat(send(tool("get", "{\"id\":1}")).isDone()).isFalse();
    }

    @Test
    void cachedResponseIsTheSameObject() {
        ask(tool("get", "{}"), RESULT);

        assertThat(send(tool("get", "{}")).awaitAnswer())
                .isSameAs(send(tool("get", "{}")).awaitAnswer());
    }

    @Test
    void resultOfANonReadOnlyToolIsNotCachedAndTheLogStatesWhy() {
        hints = ToolHints.UNDECLARED;

        ask(tool("get", "{}"), RESULT);
        send(tool("get", "{}"));

        assertThat(server.calls()).hasSize(2);
        assertThat(calls.log().lines())
                .singleElement()
                .asString()
                .contains("results of 'get' of server 'tools' are not cached")
                .contains("\"read-only\": true");
    }

    @Test
    void annotationsOfAnUntrustedServerDoNotCount() {
        hints = new ToolHints(true, false, true, false, ToolHints.Source.SERVER);

        ask(tool("get", "{}"), RESULT);

        assertThat(send(tool("get", "{}")).isDone()).isFalse();
    }

    @Test
    void failedResultsAndErrorsAreNotCached() {
        ask(tool("get", "{}"), "{\"content\":[],\"isError\":true}");
        send(tool("get", "{}"));
        server.call(1).refuse(-32603);
        send(tool("get", "{}"));

        assertThat(server.calls()).hasSize(3);
    }

    @Test
    void continuedCallsAreNotCached() {
        ask(calls.of(Methods.RESOURCES_READ, URI), PUBLIC);

        send(calls.of(Methods.RESOURCES_READ, "{\"uri\":\"file:///a\",\"requestState\":\"s\"}"));

        assertThat(server.calls()).hasSize(2);
    }

    @ParameterizedTest(name = "''{0}'' drops a read resource: {1}")
    @CsvSource({
        "'', true",
        "notifications/resources/list_changed, true",
        "notifications/resources/updated, true",
        "notifications/tools/list_changed, false",
        "notifications/prompts/list_changed, false",
        "notifications/message, false"
    })
    void changeInvalidatesItsResponses(String change, boolean drops) {
        ask(read("anna"), PUBLIC);

        changes.accept(change);

        assertThat(send(read("anna")).isDone()).isEqualTo(!drops);
    }

    @Test
    void responseRequestedBeforeAChangeIsNotCached() {
        send(read("anna"));
        changes.accept("notifications/resources/updated");
        server.call(0).answer(PUBLIC);

        assertThat(send(read("anna")).isDone()).isFalse();
    }

    @Test
    void leastRecentlyUsedResponseIsEvicted() {
        for (int i = 0; i < 3; i++) {
            ask(tool("get", "{\"id\":%d}".formatted(i)), RESULT);
        }
        send(tool("get", "{\"id\":0}"));
        ask(tool("get", "{\"id\":3}"), RESULT);

        assertThat(send(tool("get", "{\"id\":0}")).isDone()).isTrue();
        assertThat(send(tool("get", "{\"id\":1}")).isDone()).isFalse();
        assertThat(stage.readings().get(0).value()).isEqualTo(3);
    }

    @Test
    void cachedBytesAreLimited() {
        ask(tool("get", "{}"), "{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}".formatted("x".repeat(3_000)));

        assertThat(send(tool("get", "{}")).isDone()).isFalse();
        assertThat(stage.readings().get(1).value()).isZero();
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void hugeTtlNumberIsIgnored() {
        ask(read("anna"), "{\"contents\":[],\"ttlMs\":%s}".formatted("9".repeat(4 << 20)));

        assertThat(send(read("anna")).isDone()).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"-1e30", "-9999999999999999999", "1e-9"})
    void ttlOfZeroOrLessIsIgnored(String millis) {
        ask(read("anna"), "{\"contents\":[],\"ttlMs\":%s}".formatted(millis));

        assertThat(send(read("anna")).isDone()).isFalse();
    }

    @Test
    void clientsWithDifferentCapabilitiesShareNoResponse() {
        ask(declaring("{\"sampling\":{}}"), PRIVATE);
        ask(declaring("{\"sampling\":{}}"), PUBLIC);

        assertThat(send(declaring("{}")).isDone()).isFalse();
        assertThat(send(declaring("{\"sampling\":{}}")).isDone()).isTrue();
    }

    @Test
    void toolResultIsNeverPublic() {
        ask(tool("get", "{}"), "{\"content\":[],\"cacheScope\":\"public\"}");

        var params = "{\"name\":\"get\",\"arguments\":{}}";
        assertThat(send(calls.by("ben", Methods.TOOLS_CALL, params, Duration.ofMinutes(1)))
                        .isDone())
                .isFalse();
        assertThat(send(tool("get", "{}")).isDone()).isTrue();
    }

    @Test
    void ttlOfALegacyServerIsIgnored() {
        answer(read("anna"), PUBLIC, Era.LEGACY);

        assertThat(send(read("anna")).isDone()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void cachedAnswerKeepsTheEraOfItsConnection(Era era) {
        answer(tool("get", "{}"), "{\"content\":[]}", era);

        assertThat(send(tool("get", "{}")).awaitOutcome())
                .isInstanceOfSatisfying(
                        Outcome.Answered.class,
                        cached -> assertThat(cached.era()).isEqualTo(era));
    }

    private void answer(Call call, String result, Era era) {
        send(call);
        var response = Response.result(MessageId.of(1), result);
        server.last().reply().complete(new Outcome.Answered(response, 1, era));
    }

    @Test
    void promptsAreNotCached() {
        ask(calls.of(Methods.PROMPTS_GET, "{\"name\":\"p\"}"), "{\"messages\":[],\"ttlMs\":1000}");

        assertThat(send(calls.of(Methods.PROMPTS_GET, "{\"name\":\"p\"}")).isDone())
                .isFalse();
    }

    private Call declaring(String capabilities) {
        var call = read("anna");
        var caller = call.caller().withVersion(ProtocolVersion.LATEST).withDeclared(capabilities);
        return StageFixture.by(caller, call);
    }

    private CacheStage stage(CacheSettings settings) {
        return new CacheStage(
                settings,
                StageContext.of("tools", calls.environment())
                        .withHints(call -> hints)
                        .withDigest(call -> call.request().method()
                                + call.request().raw(MessageField.PARAMS).orElse(""))
                        .withChanges(listener -> changes = listener));
    }

    private void ask(Call call, String result) {
        send(call);
        server.last().answer(result);
    }

    private RecordingReply send(Call call) {
        return StageFixture.send(stage, call, server);
    }

    private Call read(String principal) {
        return calls.by(principal, Methods.RESOURCES_READ, URI, Duration.ofMinutes(1));
    }

    private Call tool(String name, String arguments) {
        return calls.tool(name, arguments);
    }
}
