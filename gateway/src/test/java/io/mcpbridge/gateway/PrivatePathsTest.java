package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.BridgeConfiguration;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrivatePathsTest {

    @Test
    void socketsTrailAndKeysAreHiddenFromTheSandbox() {
        var configuration = BridgeConfiguration.parse("""
            {"bridge": {"listen": {"unix": {"path": "/run/x/own.sock"}},
                        "audit": {"sink": "file", "path": "/srv/trail"}, "sandbox": {"hidden": ["/etc/tokens"]}}}\
            """, Path.of(""), Map.of());

        var sandbox = PrivatePaths.hiddenBySandbox(configuration, DaemonOptions.DEFAULTS);

        assertThat(sandbox.texts("hidden"))
                .contains(
                        "/etc/tokens",
                        "/run/x/own.sock",
                        "/run/x/own-admin.sock",
                        "/srv/trail",
                        "/srv/trail.key",
                        "/srv/trail-redaction.key");
    }
}
