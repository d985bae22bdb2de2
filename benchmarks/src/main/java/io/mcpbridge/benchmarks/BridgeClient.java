package io.mcpbridge.benchmarks;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.config.BridgeConfiguration;
import java.nio.file.Path;
import java.util.Map;

/** Calls through the library by {@link Bridge}. */
final class BridgeClient implements Contender {
    private static final Map<String, String> ARGUMENTS = Map.of("text", Payload.TEXT);

    private final Bridge bridge;

    /** Opens a bridge to one server; {@code section} has the members of its configuration object. */
    BridgeClient(String section) {
        var json = "{\"mcpServers\":{\"tool\":{%s,\"retry\":\"none\"}}}".formatted(section);
        bridge = Bridge.open(BridgeConfiguration.parse(json, Path.of(""), Map.of()), BridgeOptions.DEFAULTS);
    }

    @Override
    public void call() throws InterruptedException {
        var result = bridge.callTool("tool", "echo", ARGUMENTS);
        if (result.isError() || result.content().size() != 1) {
            throw new IllegalStateException("the result is " + result);
        }
    }

    @Override
    public void close() {
        bridge.close();
    }
}
