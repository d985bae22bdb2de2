package io.mcpbridge.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the pages show is what the build compiles and runs. */
class DocumentationTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern BLOCK = Pattern.compile("```(java|json)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]+)(?:#[^)]*)?\\)");

    private static final Pattern VARIABLE = Pattern.compile("\"((?:MCP_BRIDGE|COLIBRI)_[A-Z_]+)\"");

    /** What the configurations on the pages are filled in with. */
    private static final Map<String, String> VARIABLES =
            Map.of("GITHUB_TOKEN", "a", "SEARCH_TOKEN", "b", "ALICE_TOKEN", "0123456789abcdef0123456789abcdef");

    /** A fenced block of a page, in a language that can be checked. */
    record Block(Path page, String language, String text) {
        @Override
        public String toString() {
            return page.getFileName() + ": " + text.lines().findFirst().orElse("");
        }
    }

    @ParameterizedTest
    @MethodSource("javaBlocks")
    void javaBlockIsPartOfAnExample(Block block) {
        var wanted = folded(block.text());

        var sources = files("examples/src/main/java", ".java")
                .map(DocumentationTest::text)
                .map(DocumentationTest::folded);

        assertThat(sources.anyMatch(source -> source.contains(wanted)))
                .as("the block of %s stands in an example, line by line", block)
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void configurationBlockIsValid(Block block) {
        assertThatCode(() -> BridgeConfiguration.parse(block.text(), ROOT, VARIABLES))
                .doesNotThrowAnyException();
    }

    @Test
    void linksBetweenPagesAreValid() {
        var broken = new ArrayList<String>();

        pages().forEach(page -> LINK.matcher(text(page))
                .results()
                .map(link -> link.group(1))
                .filter(target -> !Files.exists(page.resolveSibling(target)))
                .forEach(target -> broken.add(ROOT.relativize(page) + " -> " + target)));

        assertThat(broken).isEmpty();
    }

    @Test
    void everyVariableIsDocumented() {
        var source = text(ROOT.resolve("engine/src/main/java/io/mcpbridge/config/BridgeEnvironmentVariables.java"));
        var variables =
                VARIABLE.matcher(source).results().map(name -> name.group(1)).collect(Collectors.toSet());

        assertThat(variables).contains("MCP_BRIDGE_MODE");
        assertThat(text(ROOT.resolve("docs/configuration.md"))).contains(variables);
    }

    @ParameterizedTest
    @EnumSource
    void everyErrorCodeIsDocumented(ErrorCode code) {
        if (code.jsonRpcCode() <= -31_001 && code.jsonRpcCode() > -32_000) {
            assertThat(text(ROOT.resolve("docs/admin.md")))
                    .contains("| %d | `%s` |".formatted(code.jsonRpcCode(), code));
        }
    }

    @Test
    void pagesHaveBlocksToCheck() {
        assertThat(javaBlocks()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(configurations()).hasSizeGreaterThanOrEqualTo(2);
    }

    static List<Block> javaBlocks() {
        return blocks("java");
    }

    static List<Block> configurations() {
        return blocks("json").stream()
                .filter(block -> block.text().contains("mcpServers"))
                .toList();
    }

    private static List<Block> blocks(String language) {
        return pages().flatMap(page -> BLOCK.matcher(text(page))
                        .results()
                        .map(found -> new Block(page, found.group(1), found.group(2))))
                .filter(block -> block.language().equals(language))
                .toList();
    }

    private static Stream<Path> pages() {
        return Stream.concat(
                Stream.of("README.md", "CONTRIBUTING.md", "SECURITY.md").map(ROOT::resolve), files("docs", ".md"));
    }

    private static Stream<Path> files(String folder, String ending) {
        try (var found = Files.walk(ROOT.resolve(folder))) {
            return found
                    .filter(path -> path.toString().endsWith(ending))
                    .filter(path -> !path.toString().contains("/target/"))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Without indentation and empty lines, which a page may have otherwise. */
    private static String folded(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
    }
}
