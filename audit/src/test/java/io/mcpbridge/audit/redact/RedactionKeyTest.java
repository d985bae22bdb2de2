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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionKeyTest {

    @TempDir
    Path folder;

    @Test
    void missingFileIsCreatedForItsOwnerOnly() throws IOException {
        var file = folder.resolve("redact.key");

        var made = RedactionKey.at(file);
        assertThat(file).doesNotExist();
        assertThat(made.keep()).isTrue();
        assertThat(made.keep()).isFalse();

        assertThat(RedactionKey.at(file)).isEqualTo(made).hasSameHashCodeAs(made);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(made).hasToString("key " + made.id());
    }

    @Test
    void keyMadeByAnotherProcessIsNotReplaced() throws IOException {
        var file = folder.resolve("redact.key");
        var late = RedactionKey.at(file);
        var first = RedactionKey.at(file);
        first.keep();

        assertThatThrownBy(late::keep)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("was made by another process at this moment; start again");
        assertThat(RedactionKey.at(file)).isEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "0"})
    void keyPartlyWrittenByAnotherProcessIsNotReplaced(String part) throws IOException {
        var file = folder.resolve("redact.key");
        var late = RedactionKey.at(file);
        written("redact.key", part, "rw-------");

        assertThatThrownBy(late::keep)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("was made by another process at this moment; start again");
        assertThat(file).hasContent(part);
    }

    @Test
    void randomKeyIsNotWritten() {
        assertThat(RedactionKey.random().keep()).isFalse();
    }

    @Test
    void linkIsRejected() throws IOException {
        var target = Files.writeString(folder.resolve("target"), "00".repeat(32));
        var link = Files.createSymbolicLink(folder.resolve("link"), target);

        assertThatThrownBy(() -> RedactionKey.at(link))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the redaction key, '" + link + "', is not safe: it is a symbolic link");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r--r--", "rw-r-----", "rw--w----", "rw----r--", "rw-----w-"})
    void keyUsableByOthersIsRejected(String mode) throws IOException {
        var file = written("key", "00".repeat(32), mode);

        assertThatThrownBy(() -> RedactionKey.at(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("the redaction key, '%s', is not safe: others may ".formatted(file))
                .hasMessageEndingWith("(%s); it must be a plain file of yours with mode 0600".formatted(mode));
    }

    @Test
    void pipeIsRejectedAtOnce() throws Exception {
        var pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        assertThatThrownBy(() -> RedactionKey.at(pipe))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("it is no plain file, but a pipe, a socket or a device");
    }

    @Test
    void readOnlyKeyIsAccepted() throws IOException {
        var file = written("key", "00".repeat(32), "r--------");

        assertThat(RedactionKey.at(file)).isEqualTo(RedactionKey.of(new byte[32]));
    }

    @Test
    void invalidKeyIsRejected() throws IOException {
        var words = written("words", "no key", "rw-------");
        var few = written("few", "00", "rw-------");

        assertThatThrownBy(() -> RedactionKey.at(words)).hasMessageContaining("64 hexadecimal digits or more");
        assertThatThrownBy(() -> RedactionKey.at(few)).hasMessageContaining("at least 32");
        assertThatThrownBy(() -> RedactionKey.at(folder.resolve("no").resolve("key")))
                .hasMessageContaining("cannot be used (no such file)");
    }

    @Test
    void keysDifferAndHaveAnId() {
        var one = RedactionKey.random();
        var other = RedactionKey.random();

        assertThat(one.hash().of("x")).startsWith("hmac-sha256:" + one.id() + ":");
        assertThat(one.hash().of("x")).isNotEqualTo(other.hash().of("x"));
        assertThat(one.hash().of("x".repeat(20_000))).isEqualTo(one.hash().of("x".repeat(20_000)));
    }

    private Path written(String name, String text, String mode) throws IOException {
        var file = Files.writeString(folder.resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }
}
