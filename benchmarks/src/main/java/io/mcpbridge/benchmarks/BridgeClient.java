package io.mcpbridge.benchmarks;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.config.BridgeConfiguration;
import java.nio.file.Path;
import java.util.Map;

/** Calls through the library by {@link Bridge}. */
final class BridgeClient implements Contender {
    private final Bridge bridge;

    /** Opens a bridge to one server; {@code section} has the members of its configuration object. */
    BridgeClient(String section) {
        var json = "{\"mcpServers\":{\"tool\":{%s}}}".formatted(section);
        bridge = Bridge.open(BridgeConfiguration.parse(json, Path.of(""), Map.of()), BridgeOptions.DEFAULTS);
    }

    @Override
    public void call() throws InterruptedException {
        var text = Payload.numbered();
        var result = bridge.callTool("tool", "echo", Map.of("text", text));
        if (result.isError() || !result.text().contains(text)) {
            throw new IllegalStateException("the result is " + result.json());
        }
    }

    @Override
    public void close() {
        bridge.close();
    }
}
