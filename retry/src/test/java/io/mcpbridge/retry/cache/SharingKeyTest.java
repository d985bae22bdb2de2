package io.mcpbridge.retry.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.call.Principal;
import io.mcpbridge.engine.translation.RequestDigests;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.testkit.HeldHandler;
import io.mcpbridge.testkit.StageFixture;
import io.mcpbridge.tool.ToolHints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls are coalesced only if they are equal in everything that the answer may depend on. */
@Timeout(60)
class SharingKeyTest {
    private static final List<Principal> USERS = List.of(
            new Principal("anna", "token"),
            new Principal("anna", "process"),
            new Principal("ben", "token"),
            new Principal("token:anna", "token"));

    private static final List<ProtocolVersion> VERSIONS =
            List.of(ProtocolVersion.LATEST_LEGACY, ProtocolVersion.LATEST);
    private static final List<String> DECLARED = List.of("{}", "{\"sampling\":{}}");
    private static final List<@Nullable LogLevel> LEVELS = Arrays.asList(null, LogLevel.DEBUG, LogLevel.ERROR);

    private static final List<String> PARAMS = List.of(
            "\"name\":\"read\"",
            "\"name\":\"read\",\"arguments\":{}",
            "\"name\":\"read\",\"arguments\":{\"a\":1}",
            "\"name\":\"read\",\"arguments\":{\"a\":\"1\"}",
            "\"name\":\"read\",\"arguments\":{\"b\":1}",
            "\"name\":\"reads\",\"arguments\":{\"a\":1}");

    private final StageFixture calls = new StageFixture();
    private final HeldHandler server = new HeldHandler();
    private final RequestDigests digests = new RequestDigests();
    private final CoalescingStage stage = new CoalescingStage(
            CoalescingSettings.DEFAULTS,
            StageContext.of("tools", calls.environment())
                    .withHints(call -> new ToolHints(true, false, true, false, ToolHints.Source.TRUSTED))
                    .withDigest(call -> digests.of(call.request())));

    @Test
    void onlyEqualCallsAreCoalesced() {
        var different = everyCall();
        different.forEach(call -> StageFixture.send(stage, call, server));
        assertThat(server.calls()).hasSameSizeAs(different);

        everyCall().forEach(call -> StageFixture.send(stage, call, server));

        assertThat(server.calls()).hasSameSizeAs(different);
    }

    @Test
    void notationOfTheParametersDoesNotMatter() {
        StageFixture.send(stage, call("\"name\":\"read\",\"arguments\":{\"a\":1,\"b\":2}"), server);
        StageFixture.send(stage, call("\"arguments\":{\"b\":2, \"a\":1}, \"name\":\"re\\u0061d\""), server);

        assertThat(server.calls()).hasSize(1);
    }

    private List<Call> everyCall() {
        var all = new ArrayList<Call>();
        for (var params : PARAMS) {
            for (var token : List.of("", ",\"_meta\":{\"progressToken\":7}")) {
                everyCaller(call(params + token), all);
            }
        }
        return all;
    }

    private static void everyCaller(Call call, List<Call> all) {
        for (var user : USERS) {
            for (var version : VERSIONS) {
                for (var declared : DECLARED) {
                    for (var level : LEVELS) {
                        var caller = call.caller()
                                .withPrincipal(user)
                                .withVersion(version)
                                .withDeclared(declared);
                        all.add(StageFixture.by(caller.withLogLevel(level), call));
                    }
                }
            }
        }
    }

    private Call call(String params) {
        return calls.of(Methods.TOOLS_CALL, "{" + params + "}");
    }
}
