package io.mcpbridge.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.tool.ToolDefinition;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Contract tests for every {@link ToolCatalog}. */
@Contract
public abstract class ToolCatalogContract {
    private ToolCatalog catalog;

    /** Creates an empty catalog that admits every tool. */
    protected abstract ToolCatalog create() throws Exception;

    @BeforeEach
    void createCatalog() throws Exception {
        catalog = create();
    }

    @AfterEach
    void closeCatalog() {
        catalog.close();
    }

    @Test
    void newCatalogIsEmpty() {
        assertThat(catalog.snapshot().tools()).isEmpty();
        assertThat(catalog.snapshot().find("server", "echo")).isEmpty();
    }

    @Test
    void firstListIsAllNew() {
        var change = catalog.update("server", List.of(tool("b"), tool("a")));

        assertThat(change).isEqualTo(new ToolCatalog.Change(List.of("a", "b"), List.of(), List.of(), 0));
    }

    @Test
    void toolsAreKeptInTheOrderOfTheirNames() {
        catalog.update("server", List.of(tool("b"), tool("a"), tool("c")));

        assertThat(catalog.snapshot().tools().getOrDefault("server", List.of()))
                .containsExactly(tool("a"), tool("b"), tool("c"));
    }

    @Test
    void laterListChangesOnlyTheDifferences() {
        catalog.update("server", List.of(tool("kept"), tool("gone"), tool("other", "before")));

        var change = catalog.update("server", List.of(tool("kept"), tool("new"), tool("other", "after")));

        assertThat(change).isEqualTo(new ToolCatalog.Change(List.of("new"), List.of("gone"), List.of("other"), 1));
        assertThat(catalog.snapshot().find("server", "gone")).isEmpty();
        assertThat(catalog.snapshot().find("server", "other")).contains(tool("other", "after"));
    }

    @Test
    void sameListChangesNothing() {
        catalog.update("server", List.of(tool("a"), tool("b")));
        var before = catalog.snapshot().version();

        var change = catalog.update("server", List.of(tool("b"), tool("a")));

        assertThat(change.isEmpty()).isTrue();
        assertThat(change.unchanged()).isEqualTo(2);
        assertThat(catalog.snapshot().version()).isEqualTo(before);
    }

    @Test
    void versionGrowsWithEachChange() {
        var first = catalog.snapshot().version();
        catalog.update("server", List.of(tool("a")));
        var second = catalog.snapshot().version();
        catalog.remove("server");

        assertThat(second).isGreaterThan(first);
        assertThat(catalog.snapshot().version()).isGreaterThan(second);
    }

    @Test
    void serversMayHaveToolsOfOneName() {
        catalog.update("one", List.of(tool("echo", "of one")));
        catalog.update("other", List.of(tool("echo", "of other")));

        catalog.remove("one");

        assertThat(catalog.snapshot().find("one", "echo")).isEmpty();
        assertThat(catalog.snapshot().find("other", "echo")).contains(tool("echo", "of other"));
    }

    @Test
    void removeReturnsTheRemovedTools() {
        catalog.update("server", List.of(tool("a"), tool("b")));

        assertThat(catalog.remove("server").removed()).containsExactly("a", "b");
        assertThat(catalog.remove("server").isEmpty()).isTrue();
    }

    @Test
    void snapshotDoesNotChange() {
        catalog.update("server", List.of(tool("a")));
        var before = catalog.snapshot();

        catalog.update("server", List.of(tool("b")));

        assertThat(before.find("server", "a")).isPresent();
        assertThat(before.find("server", "b")).isEmpty();
    }

    @Test
    void readersAlwaysSeeACompleteList() throws Exception {
        var done = new AtomicBoolean();
        var writer = new Thread(() -> {
            for (int i = 0; i < 500; i++) {
                var text = String.valueOf(i);
                catalog.update("server", List.of(tool("a", text), tool("b", text)));
            }
            done.set(true);
        });
        writer.start();

        while (!done.get()) {
            var snapshot = catalog.snapshot();
            assertThat(snapshot.find("server", "a").flatMap(ToolDefinition::description))
                    .isEqualTo(snapshot.find("server", "b").flatMap(ToolDefinition::description));
        }
        writer.join();
    }

    @Test
    void closingTwiceIsHarmless() {
        catalog.close();

        assertThatCode(catalog::close).doesNotThrowAnyException();
    }

    private static ToolDefinition tool(String name) {
        return tool(name, "does " + name);
    }

    private static ToolDefinition tool(String name, String description) {
        return ToolDefinition.parse("{\"name\":%s,\"description\":%s,\"inputSchema\":{\"type\":\"object\"}}"
                .formatted(JsonStrings.quote(name), JsonStrings.quote(description)));
    }
}
