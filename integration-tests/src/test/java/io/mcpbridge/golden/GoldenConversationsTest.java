package io.mcpbridge.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What clients, servers and auditors see of whole conversations is what the files say, byte for byte. */
@Timeout(120)
class GoldenConversationsTest {
    private static final Path FILES = Path.of("src/test/resources/io/mcpbridge/golden");
    private static final boolean IS_WRITING = "write".equals(System.getenv("MCP_BRIDGE_GOLDEN"));
    private static final Map<String, Conversation> ALL = all();

    static Stream<String> names() {
        return ALL.keySet().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("names")
    void conversationMatchesItsGoldenFile(String name) throws Exception {
        var played = "# " + name + "\n" + play(Objects.requireNonNull(ALL.get(name), name));

        if (IS_WRITING) {
            Files.createDirectories(FILES);
            Files.writeString(FILES.resolve(name + ".txt"), played);
        } else {
            assertSame(name, played);
        }
    }

    private static Map<String, Conversation> all() {
        var all = new TreeMap<String, Conversation>();
        SuccessfulConversations.addTo(all);
        FailingConversations.addTo(all);
        RecoveringConversations.addTo(all);
        AskingConversations.addTo(all);
        RefusedConversations.addTo(all);
        ListConversations.addTo(all);
        return all;
    }

    private static String play(Conversation conversation) throws Exception {
        var secrets = CountingSecrets.install();
        try (var bench = new Bench()) {
            conversation.play(bench);
            return bench.end();
        } finally {
            secrets.uninstall();
        }
    }

    private static void assertSame(String name, String played) throws Exception {
        var folder = Files.createDirectories(Path.of("target/golden"));
        var here = Files.writeString(folder.resolve(name + ".txt"), played);
        assertThat(here)
                .as("what was said now, compared with %s; MCP_BRIDGE_GOLDEN=write takes it over", name)
                .hasSameTextualContentAs(FILES.resolve(name + ".txt"));
    }

    @Test
    @DisabledIfEnvironmentVariable(named = "MCP_BRIDGE_GOLDEN", matches = "write")
    void eachGoldenFileHasAConversation() throws Exception {
        try (var files = Files.list(FILES)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".txt", "")))
                    .containsExactlyInAnyOrderElementsOf(new TreeSet<>(ALL.keySet()));
        }
    }

    /** The steps of one conversation. */
    @FunctionalInterface
    interface Conversation {
        void play(Bench bench) throws Exception;
    }
}
