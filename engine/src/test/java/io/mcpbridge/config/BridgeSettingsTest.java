package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.BridgeSettings.LimitSettings;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BridgeSettingsTest {

    @Test
    void absentKeysKeepTheirDefaults() {
        var bridge = BridgeSettings.from(Settings.of(Map.of()));

        assertThat(bridge.listeners()).isEmpty();
        assertThat(bridge.names()).isEqualTo(ToolNaming.PREFIX);
        assertThat(bridge.drainTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(bridge.callTimeout()).isEqualTo(Duration.ofSeconds(60));
        assertThat(bridge.keepAlive()).isEqualTo(Duration.ofSeconds(30));
        assertThat(bridge.limits()).isEqualTo(LimitSettings.DEFAULTS);
        assertThat(bridge.plugIns().retry().keys()).isEmpty();
    }

    @Test
    void everyKeyIsRead() {
        var bridge = BridgeSettings.from(Settings.parse("""
            {"listen": {"unix": {}, "http": {"port": 7450}}, "names": "plain", "retry": {"policy": "safe"},
             "audit": {"sink": "file"}, "catalog": {"kind": "memory"}, "sandbox": {"level": "L1"},
             "drain-timeout": "5s", "call-timeout": "2m", "keep-alive": "0s", "limits": {"queue": 7}, "servers": "defaults"}\
            """));

        assertThat(bridge.listeners().keySet()).containsExactly("unix", "http");
        assertThat(bridge.listeners())
                .hasEntrySatisfying(
                        "http", http -> assertThat(http.integer("port", 0)).isEqualTo(7450));
        assertThat(bridge.names()).isEqualTo(ToolNaming.PLAIN);
        assertThat(bridge.plugIns().retry().text("policy")).contains("safe");
        assertThat(bridge.plugIns().audit().text("sink")).contains("file");
        assertThat(bridge.plugIns().catalog().text("kind")).contains("memory");
        assertThat(bridge.plugIns().sandbox().text("level")).contains("L1");
        assertThat(bridge.drainTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(bridge.callTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(bridge.keepAlive()).isZero();
        assertThat(bridge.limits().queue()).isEqualTo(7);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "listen         | []      | 'listen' is a list but must be an object",
                "names          | 'short' | 'names' is 'short' but must be 'prefix' or 'plain'",
                "retry          | 'safe'  | 'retry' is 'safe' but must be an object",
                "audit          | true    | 'audit' is true but must be an object",
                "catalog        | 1       | 'catalog' is 1 but must be an object",
                "sandbox        | 'L1'    | 'sandbox' is 'L1' but must be an object",
                "drain-timeout  | 30      | 'drain-timeout' is 30 but must be a time span such as 200ms, 5s, 2m or 1h",
                "drainTimeoutMs | 'x'     | 'drainTimeoutMs' is 'x' but must be a whole number of milliseconds",
                "call-timeout   | 'soon'  | 'call-timeout' is 'soon' but must be a time span such as 200ms, 5s, 2m or"
                        + " 1h",
                "keep-alive     | 'no'    | 'keep-alive' is 'no' but must be a time span such as 200ms, 5s, 2m or 1h",
                "keepAliveMs    | -1      | 'keepAliveMs' is -1ms but must be zero or longer",
                "limits         | 1       | 'limits' is 1 but must be an object",
                "lisen          | {}      | 'lisen' is not a key here; did you mean 'listen'?"
            },
            quoteCharacter = '"')
    void wrongValueIsRejected(String key, String value, String problem) {
        var json = "{\"%s\": %s}".formatted(key, value.replace('\'', '"'));

        assertThat(Refused.problems(() -> BridgeSettings.from(Settings.parse(json))))
                .containsExactly("line 1: " + problem);
    }

    @Test
    void timeoutOfZeroIsRejected() {
        assertThat(Refused.problems(() -> BridgeSettings.from(Settings.parse("{\"drain-timeout\": \"0s\"}"))))
                .containsExactly("line 1: 'drain-timeout' is 0s but must be longer than zero");
        assertThat(Refused.problems(() -> BridgeSettings.from(Settings.parse("{\"call-timeout\": \"0s\"}"))))
                .containsExactly("line 1: 'call-timeout' is 0s but must be longer than zero");
    }

    @Test
    void mistakesOfSectionsAreReportedTogether() {
        var json = "{\"names\": 1, \"limits\": {\"queue\": \"many\", \"in-flight\": true}}";

        assertThat(Refused.problems(() -> BridgeSettings.from(Settings.parse(json))))
                .hasSize(3);
    }
}
