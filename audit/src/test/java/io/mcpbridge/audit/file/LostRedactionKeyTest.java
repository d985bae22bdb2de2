package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.failure.ConfigurationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A trail whose redaction key is lost continues with a new key. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LostRedactionKeyTest {

    @TempDir
    Path folder;

    private TestTrail trail;
    private Path key;

    @BeforeEach
    void write() {
        trail = TestTrail.in(folder).with("mode", "required");
        call("1");
        key = folder.resolve("trail-redaction.key");
    }

    @AfterEach
    void end() {
        trail.close();
    }

    @Test
    void lostKeyIsReplacedAndEachHashNamesItsKey() throws Exception {
        Files.delete(key);

        call("2");

        assertThat(trail.ids()).containsExactly("1-enter", "1-exit", "2-enter", "2-exit");
        assertThat(keyId(trail.records().get(2)))
                .isNotEqualTo(keyId(trail.records().get(0)));
        assertThat(trail.verify().holds()).isTrue();
    }

    @Test
    void rejectedStartCreatesNoKey() throws Exception {
        Files.delete(key);
        Files.delete(trail.folder().resolve("checkpoints"));

        assertThatThrownBy(() -> trail.open()).isInstanceOf(ConfigurationException.class);

        assertThat(key).doesNotExist();
    }

    private static String keyId(ParsedRecord enter) {
        var begin = "hmac-sha256:".length();
        return enter.text("argumentsHash").orElseThrow().substring(begin, begin + 8);
    }

    private void call(String id) {
        try (var sink = trail.open()) {
            TestTrail.call(sink, id);
        }
    }
}
