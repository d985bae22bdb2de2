package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.spi.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlaceholdersTest {

    @TempDir
    Path folder;

    @ParameterizedTest(name = "''{0}''")
    @ValueSource(strings = {"", "plain", "$HOME", "$$HOME", "100%\\d$1", "{a}"})
    void textWithoutPlaceholdersIsUnchanged(String text) {
        assertThat(filling().fill(text)).isEqualTo(text);
    }

    @Test
    void environmentPlaceholdersAreReplacedEverywhere() {
        assertThat(filling().fill("a ${env:ONE}${env:ONE} b ${env:TWO}")).isEqualTo("a 1$11$1 b ");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "${ONE}, 1$1",
        "${NONE:-x y}, x y",
        "${NONE:-}, ''",
        "${TWO:-x}, x",
        "${ONE:-x}, 1$1",
        "${ONE}/${NONE:-b}, 1$1/b",
        "$${NONE}, ${NONE}",
        "$${input:a} ${ONE}, ${input:a} 1$1",
        "${#x} ${line#*id} ${id%%b}, ${#x} ${line#*id} ${id%%b}"
    })
    void placeholdersOfDesktopClientsAreReplaced(String text, String filled) {
        assertThat(filling().fill(text)).isEqualTo(filled);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "${input:token}",
                "${workspaceFolder}",
                "${workspaceFolderBasename}",
                "${userHome}",
                "${command:x}",
                "${config:a.b}",
                "${/}",
                "${}",
                "${ENV:X}"
            })
    void placeholdersOfEditorsAreRejected(String place) {
        assertThat(Refused.problems(() -> filling().fill("a " + place)))
                .containsExactly(
                        "'%s' cannot be filled in: only an editor knows it; write the value, '${env:NAME}' or '${file:path}', or '$%s' for the same text"
                                .formatted(place, place));
    }

    @Test
    void defaultValueIsNotASecret() {
        var filling = new Placeholders(folder, Map.of("KEY", "k3y"));

        var unused = filling.fill("${PORT:-8080} ${KEY:-none}");

        assertThat(filling.secrets(JsonCodec.read("{}"))).containsExactly(Secret.of("k3y"));
    }

    @Test
    void replacedTextIsNotExpandedAgain() throws IOException {
        Files.writeString(folder.resolve("token"), "${env:ONE}");

        assertThat(filling().fill("${file:token}")).isEqualTo("${env:ONE}");
    }

    @Test
    void replacedValueIsASecretUnlessItIsAPath() throws IOException {
        Files.writeString(folder.resolve("token"), "s3cret\n");
        var filling = new Placeholders(folder, Map.of("HOME", folder.toString(), "KEY", "k3y"));

        var unused = filling.fill("Bearer ${file:token} ${env:HOME}/x ${env:KEY}");

        assertThat(filling.secrets(JsonCodec.read("{}"))).containsExactly(Secret.of("s3cret"), Secret.of("k3y"));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"s3cret", "s3cret\n", "s3cret\r\n"})
    void fileIsReadWithoutItsFinalLineEnd(String content) throws IOException {
        Files.writeString(folder.resolve("token"), content);

        assertThat(filling().fill("Bearer ${file:token}")).isEqualTo("Bearer s3cret");
    }

    @Test
    void fileMayHaveAnAbsolutePath() throws IOException {
        var file = Files.writeString(folder.resolve("token"), "x");

        assertThat(new Placeholders(Path.of("/"), Map.of()).fill("${file:%s}".formatted(file)))
                .isEqualTo("x");
    }

    @Test
    void allMissingValuesAreReported() {
        assertThat(Refused.problems(() -> filling().fill("${env:NONE} ${file:gone} ${env:OPEN")))
                .containsExactly(
                        "'${env:NONE}' cannot be filled in: set the environment variable 'NONE'",
                        "'${file:gone}' cannot be filled in: '%s' cannot be read: no such file"
                                .formatted(folder.resolve("gone")),
                        "'${env:OPEN' must end with '}'");
    }

    @Test
    void fileThatIsNotUtf8IsRejected() throws IOException {
        Files.write(folder.resolve("binary"), new byte[] {(byte) 0xC0, (byte) 0xAF});

        assertThat(Refused.problems(() -> filling().fill("${file:binary}")))
                .singleElement()
                .asString()
                .endsWith("is not UTF-8 text");
    }

    @Test
    void fileThatIsTooLongIsRejected() throws IOException {
        Files.write(folder.resolve("large"), new byte[(1 << 20) + 1]);

        assertThat(Refused.problems(() -> filling().fill("${file:large}")))
                .singleElement()
                .asString()
                .endsWith("is longer than 1048576 bytes");
    }

    private Placeholders filling() {
        return new Placeholders(folder, Map.of("ONE", "1$1", "TWO", ""));
    }
}
