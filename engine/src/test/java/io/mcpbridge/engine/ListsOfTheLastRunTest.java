package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.engine.upstream.lists.ListsByCaller;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.testkit.RecordingLogger;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first listing does not wait for a server whose tools are known from the last run. */
@Timeout(60)
class ListsOfTheLastRunTest {
    private static final UnaryOperator<ToolCatalog> USUAL = UnaryOperator.identity();

    @TempDir
    private Path temp;

    private Path folder;
    private final Lists lists = new Lists();

    @BeforeEach
    void runOnce() {
        folder = temp.resolve("state").resolve("tools");
        try (var bench = after(USUAL, Map.of())) {
            list(bench);
            answer(bench, "one", "two");
        }
        lists.told.clear();
    }

    @Test
    void silentServerDelaysNoListing() {
        try (var bench = after(USUAL, Map.of())) {
            list(bench);
            list(bench);

            assertThat(lists.told).containsExactly(List.of("one", "two"), List.of("one", "two"));
            assertThat(bench.changes).isEmpty();
            assertThat(requests(bench)).isOne();
        }
    }

    @Test
    void otherListOfTheServerIsAnnouncedOnce() {
        try (var bench = after(USUAL, Map.of())) {
            list(bench);
            answer(bench, "two", "three");
            list(bench);

            assertThat(lists.told).containsExactly(List.of("one", "two"), List.of("two", "three"));
            assertThat(bench.changes).containsExactly(Methods.TOOLS_LIST_CHANGED);
        }
        try (var bench = after(USUAL, Map.of())) {
            lists.told.clear();
            list(bench);

            assertThat(lists.told).containsExactly(List.of("two", "three"));
        }
    }

    @Test
    void equalListAnnouncesNothing() {
        try (var bench = after(USUAL, Map.of())) {
            list(bench);
            answer(bench, "one", "two");

            assertThat(bench.changes).isEmpty();
        }
    }

    @Test
    void lookupOfAnotherNameWaitsForTheServer() {
        try (var bench = after(USUAL, Map.of())) {
            bench.route.tools().listForLookup(OneServer.client("alice"), lists);
            assertThat(lists.told).isEmpty();

            answer(bench, "three");

            assertThat(lists.told).containsExactly(List.of("three"));
        }
    }

    @Test
    void definitionOfTheLastRunAdmitsNoCall() {
        try (var bench = after(StrictCatalog::new, Map.of())) {
            list(bench);

            assertThat(bench.route.tools().find(OneServer.client("alice"), "one"))
                    .isEmpty();
            assertThat(bench.route.lists().knownTools().isCurrent(OneServer.client("alice"), 0))
                    .isFalse();
            answer(bench, "one");
            assertThat(bench.route.tools().find(OneServer.client("alice"), "one"))
                    .isPresent();
        }
    }

    @Test
    void listOfTheLastRunStaysIfTheServerFails() {
        try (var bench = after(USUAL, Map.of())) {
            list(bench);
            bench.connection().answer(bench.connection().last(), "{}");
            list(bench);

            assertThat(lists.told).containsExactly(List.of("one", "two"), List.of("one", "two"));
            assertThat(lists.failures).isEmpty();
        }
    }

    @Test
    void listOfTheLastRunIsShownAlthoughAnotherListOfTheServerIsLate() {
        try (var bench = after(USUAL, Map.of())) {
            bench.server.holdHandshakes();
            var alice = OneServer.client("alice");
            var prompts = bench.route.lists().of(ListKind.PROMPTS);
            prompts.list(alice, ListsByCaller.Callback.of(items -> {}, why -> {}));
            prompts.of(alice).onWaitTimeout(Duration.ofSeconds(10));

            bench.route.tools().listOfMany(alice, lists);

            assertThat(lists.told).containsExactly(List.of("one", "two"));
        }
    }

    @Test
    void filterApplies() {
        Map<String, Object> filtered = Map.of("tools", Map.of("deny", List.of("one")));
        try (var bench = after(USUAL, filtered)) {
            list(bench);
            answer(bench, "one", "two");
        }
        lists.told.clear();

        try (var bench = after(USUAL, filtered)) {
            list(bench);

            assertThat(lists.told).containsExactly(List.of("two"));
        }
    }

    @Test
    void listOfAnotherSectionDoesNotCount() {
        try (var bench = after(USUAL, Map.of("url", "held:here?for=others"))) {
            list(bench);

            assertThat(lists.told).isEmpty();
            assertThat(bench.log.entries())
                    .containsOnlyOnce(new RecordingLogger.Entry(
                            Level.INFO,
                            ("[mcp-bridge] the file '%s' with the last tools of server 'tools' is outdated and not used;"
                                            + " the server replaces it: the section of the server has changed")
                                    .formatted(file())));
        }
    }

    @Test
    void listOfAServerThatUsersDoNotShareIsNotKept() {
        try (var bench = after(USUAL, Map.of("shared", false))) {
            list(bench);

            assertThat(lists.told).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{}", "shortened"})
    void damagedFileIsIgnored(String text) throws IOException {
        var whole = Files.readString(file());
        Files.writeString(file(), text.equals("shortened") ? whole.substring(0, whole.length() - 10) : text);

        try (var bench = after(USUAL, Map.of())) {
            list(bench);
            assertThat(lists.told).isEmpty();
            answer(bench, "one", "two");

            assertThat(lists.told).containsExactly(List.of("one", "two"));
        }
        assertThat(file()).hasContent(whole);
    }

    @Test
    void fileThatOthersMayWriteToIsIgnored() throws IOException {
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw-rw-"));

        try (var bench = after(USUAL, Map.of())) {
            list(bench);

            assertThat(lists.told).isEmpty();
            assertThat(bench.log.lines()).anyMatch(text -> text.contains("others may write to it"));
        }
    }

    @Test
    void onlyTheUserCanReadTheFile() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file());
        }
    }

    @Test
    void folderThatCannotBeWrittenIsLoggedOnce() throws IOException {
        folder = Files.createFile(temp.resolve("file")).resolve("tools");

        try (var bench = after(USUAL, Map.of())) {
            list(bench);
            answer(bench, "one");
            bench.route.tools().reload("", () -> {});
            answer(bench, "two");

            assertThat(bench.log.lines())
                    .filteredOn(text -> text.contains("cannot be written"))
                    .hasSize(1);
        }
    }

    private OneServer after(UnaryOperator<ToolCatalog> catalog, Map<String, Object> more) {
        return OneServer.after(folder, catalog, more);
    }

    private Path file() {
        return folder.resolve(OneServer.NAME + ".json");
    }

    private void list(OneServer bench) {
        bench.route.tools().list(OneServer.client("alice"), lists);
    }

    private static void answer(OneServer bench, String... tools) {
        var result = Stream.of(tools)
                .map("{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}"::formatted)
                .collect(Collectors.joining(",", "{\"tools\":[", "]}"));
        bench.connection().answer(bench.connection().last(), result);
    }

    private static long requests(OneServer bench) {
        return bench.connection().requests().stream()
                .filter(out -> out.message() instanceof Request request
                        && request.method().equals(Methods.TOOLS_LIST))
                .count();
    }
}
