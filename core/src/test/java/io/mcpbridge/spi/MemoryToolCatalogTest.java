package io.mcpbridge.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.ToolCatalog.Change;
import io.mcpbridge.tool.ToolDefinition;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryToolCatalogTest {
    private final MemoryToolCatalog catalog = new MemoryToolCatalog();
    private final ToolDefinition a = ToolDefinition.parse("{\"name\":\"a\"}");
    private final ToolDefinition b = ToolDefinition.parse("{\"name\":\"b\"}");
    private final ToolDefinition otherA = ToolDefinition.parse("{\"name\":\"a\",\"title\":\"A\"}");

    @Test
    void updateReportsAddedRemovedChangedAndUnchanged() {
        assertThat(catalog.update("s", List.of(b, a)))
                .isEqualTo(new Change(List.of("a", "b"), List.of(), List.of(), 0));
        assertThat(catalog.update("s", List.of(otherA)))
                .isEqualTo(new Change(List.of(), List.of("b"), List.of("a"), 0));
        assertThat(catalog.update("s", List.of(otherA))).isEqualTo(new Change(List.of(), List.of(), List.of(), 1));
    }

    @Test
    void snapshotIsImmutableAndItsVersionGrows() {
        catalog.update("s", List.of(b, a));
        var before = catalog.snapshot();

        catalog.update("s", List.of());

        assertThat(before.tools().get("s")).containsExactly(a, b);
        assertThat(catalog.snapshot().tools()).isEmpty();
        assertThat(catalog.snapshot().version()).isGreaterThan(before.version());
    }

    @Test
    void updateWithoutChangesKeepsTheVersion() {
        catalog.update("s", List.of(a));
        var version = catalog.snapshot().version();

        catalog.update("s", List.of(a));

        assertThat(catalog.snapshot().version()).isEqualTo(version);
    }

    @Test
    void removedServerLeavesTheOthers() {
        catalog.update("s", List.of(a));
        catalog.update("t", List.of(a));

        assertThat(catalog.remove("s").removed()).containsExactly("a");
        assertThat(catalog.snapshot().find("t", "a")).contains(a);
        assertThat(catalog.snapshot().find("s", "a")).isEmpty();
    }
}
