package io.mcpbridge.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Without {@code permits}, the order of the subtypes in a class file depends on the order of the source files. */
class SealedTypesTest {
    private static final Pattern SEALED = Pattern.compile("\\bsealed (?:abstract )?(?:class|interface) [^{]*\\{");

    @Test
    void sealedTypesDeclareTheirSubtypes() throws IOException {
        try (var files = Files.walk(Repository.root())) {
            var sealed = files.filter(SealedTypesTest::isPublished)
                    .flatMap(SealedTypesTest::sealedTypes)
                    .toList();

            assertThat(sealed).hasSizeGreaterThan(10).allMatch(header -> header.contains(" permits "), "has 'permits'");
        }
    }

    private static boolean isPublished(Path file) {
        return file.toString().replace('\\', '/').matches(".*/src/main/java/.*\\.java");
    }

    private static Stream<String> sealedTypes(Path file) {
        try {
            return SEALED.matcher(Files.readString(file))
                    .results()
                    .map(header -> file + ": " + header.group().replaceAll("\\s+", " "));
        } catch (IOException unreadable) {
            throw new IllegalStateException("Cannot read '" + file + "'", unreadable);
        }
    }
}
