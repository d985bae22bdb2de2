package io.mcpbridge.audit.redact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedactionKeyTest {

    @TempDir
    Path folder;

    @Test
    void aMissingFileIsMadeForItsOwnerAlone() throws IOException {
        var file = folder.resolve("redact.key");

        var made = RedactionKey.at(file);

        assertThat(RedactionKey.at(file)).isEqualTo(made).hasSameHashCodeAs(made);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(made).hasToString("key " + made.id());
    }

    @Test
    void aLinkIsRefused() throws IOException {
        var target = Files.writeString(folder.resolve("target"), "00".repeat(32));
        var link = Files.createSymbolicLink(folder.resolve("link"), target);

        assertThatThrownBy(() -> RedactionKey.at(link))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the redaction key '" + link + "' cannot be used");
    }

    @Test
    void whatIsNoKeyIsRefused() throws IOException {
        var words = Files.writeString(folder.resolve("words"), "no key");
        var few = Files.writeString(folder.resolve("few"), "00");

        assertThatThrownBy(() -> RedactionKey.at(words)).hasMessageContaining("64 hexadecimal digits or more");
        assertThatThrownBy(() -> RedactionKey.at(few)).hasMessageContaining("at least 32");
        assertThatThrownBy(() -> RedactionKey.at(folder.resolve("no").resolve("key")))
                .hasMessageContaining("cannot be used (NoSuchFileException)");
    }

    @Test
    void keysDifferAndSayWhichTheyAre() {
        var one = RedactionKey.random();
        var other = RedactionKey.random();

        assertThat(one.hash().of("x")).startsWith("hmac-sha256:" + one.id() + ":");
        assertThat(one.hash().of("x")).isNotEqualTo(other.hash().of("x"));
        assertThat(one.hash().of("x".repeat(20_000))).isEqualTo(one.hash().of("x".repeat(20_000)));
    }
}
