package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.audit.verify.AuditVerifier;
import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a trail whose key is lost, in halves or whole. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SigningKeyTest {

    @TempDir
    Path folder;

    private TestTrail trail;
    private Path key;
    private Path publicHalf;

    @BeforeEach
    void write() {
        trail = TestTrail.in(folder).with("mode", "required");
        call("1");
        key = folder.resolve("trail.key");
        publicHalf = folder.resolve("trail.pub");
    }

    @AfterEach
    void end() {
        trail.close();
    }

    @Test
    void lostKeyIsNotReplacedAutomatically() throws Exception {
        var before = Files.readString(publicHalf);
        Files.delete(key);

        assertThatThrownBy(() -> trail.open())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the signing key '%s' is missing", key)
                .hasMessageContaining("rename 'trail.pub' to 'trail.pub.old'");

        assertThat(publicHalf).hasContent(before.strip());
        assertThat(key).doesNotExist();
    }

    @Test
    void replacedKeyKeepsTheOldPublicKeyAndIsNoted() throws Exception {
        var old = trail.keys().get(0);
        deleteKeyPermanently();

        call("2");

        assertThat(trail.ids()).containsExactly("1-enter", "1-exit", "key-changed", "2-enter", "2-exit");
        assertThat(trail.keys()).hasSize(2);
        assertThat(trail.keys().get(1).name()).isEqualTo(old.name());
        assertThat(trail.verify().holds()).isTrue();
        assertThat(trail.verify().uncovered()).isZero();
        assertThat(AuditVerifier.verify(trail.folder(), List.of(old)).holds()).isFalse();
    }

    @Test
    void replacedKeyIsNotedOnce() throws Exception {
        deleteKeyPermanently();
        call("2");

        call("3");

        assertThat(trail.ids()).containsOnlyOnce("key-changed");
    }

    @Test
    void restoredKeyContinues() throws Exception {
        var kept = Files.move(key, folder.resolve("kept"));
        assertThatThrownBy(() -> trail.open()).isInstanceOf(ConfigurationException.class);
        Files.move(kept, key);

        call("2");

        assertThat(trail.verify().holds()).isTrue();
    }

    @Test
    void interruptedKeyCreationIsCompleted() throws Exception {
        Files.move(publicHalf, folder.resolve("trail.pub.new"));

        call("2");

        assertThat(trail.verify().holds()).isTrue();
    }

    @Test
    void lostPublicKeyIsNamed() throws Exception {
        Files.delete(publicHalf);

        assertThatThrownBy(() -> trail.open())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the public half '%s' of the signing key '%s' is missing", publicHalf, key);
    }

    private void deleteKeyPermanently() throws IOException {
        Files.delete(key);
        Files.move(publicHalf, folder.resolve("trail.pub.old"));
    }

    private void call(String id) {
        try (var sink = trail.open()) {
            TestTrail.call(sink, id);
        }
    }
}
