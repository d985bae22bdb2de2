package io.mcpbridge.frontdoor;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.testkit.Eventually;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the contract says of the tools of a bridge that checks calls, as it does by default: rows C1 and C2. */
@Timeout(60)
class CheckedCallsContractTest {
    private static final String ADD =
            "{\"tools\":[{\"name\":\"add\",\"inputSchema\":{\"type\":\"object\",\"required\":[\"a\"]},"
                    + "\"outputSchema\":{\"type\":\"object\"}}]}";

    private final FrontDoorBench bench = new FrontDoorBench();

    CheckedCallsContractTest() {
        bench.server.on(Methods.TOOLS_LIST, ADD);
        bench.server.on(Methods.TOOLS_CALL, "{\"content\":[],\"structuredContent\":{}}");
        bench.server.on(Methods.PING, "{}");
    }

    @Test
    @DisplayName("C1: a server is listed as it is connected")
    void serverIsListedAsItIsConnected() throws Exception {
        try (var bridge = open(bench.checking())) {
            assertThat(bridge.checkHealth("sums").isHealthy()).isTrue();

            Eventually.holds("the list", () -> asked(Methods.TOOLS_LIST) == 1);
            assertThat(bridge.toolSchema("sums", "add")).isPresent();
            assertThat(bridge.toolSchema("sums", "none")).isEmpty();
        }
    }

    @Test
    @DisplayName("C1: the schema of a tool is known before the first call")
    void schemaIsKnownBeforeTheFirstCall() throws Exception {
        try (var bridge = open(bench.checking().withoutSchemaCheck())) {
            assertThat(bridge.toolSchema("sums", "add")).isPresent();
        }
    }

    private static Bridge open(BridgeOptions options) {
        var json = "{\"mcpServers\": {\"sums\": {\"type\": \"memory\"}}}";
        return Bridge.open(BridgeConfiguration.parse(json, Path.of(""), Map.of()), options);
    }

    private long asked(String method) {
        return bench.server.received().stream()
                .filter(message ->
                        message instanceof Request request && request.method().equals(method))
                .count();
    }
}
