package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameFilterTest {

    @ParameterizedTest(name = "{0} fits {1}: {2}")
    @CsvSource({
        "read, read, true",
        "read, reader, false",
        "read_*, read_file, true",
        "read_*, read_, true",
        "read_*, write_file, false",
        "*delete*, undelete_all, true",
        "*a*b, xaxbxb, true",
        "*a*b, xaxbx, false",
        "r?ad, road, true",
        "r?ad, rad, false",
        "*, anything, true",
        "**, anything, true",
        "a.b, axb, false",
        "Read, read, false",
    })
    void patternFitsNames(String pattern, String name, boolean fits) {
        assertThat(new NameFilter(List.of(pattern), List.of()).admits(name)).isEqualTo(fits);
        assertThat(new NameFilter(List.of(), List.of(pattern)).admits(name)).isNotEqualTo(fits);
    }

    @Test
    void denialGoesBeforePermission() {
        var filter = new NameFilter(List.of("read_*", "list"), List.of("*_secret"));

        assertThat(List.of("read_file", "list", "read_secret", "write").stream().filter(filter::admits))
                .containsExactly("read_file", "list");
    }

    @Test
    void manyStarsTakeNoLongTime() {
        assertThat(new NameFilter(List.of("*a".repeat(60) + "b"), List.of()).admits("a".repeat(120)))
                .isFalse();
    }

    @Test
    void serverHasPatternsBesideItsTools() {
        var server = read("{\"mcpServers\": {\"s\": {\"command\": \"x\", \"tools\": {\"allow\": [\"r*\"],"
                        + " \"deny\": {\"timeout\": \"3s\"}, \"read\": {\"timeout\": \"5s\"}}}}}")
                .server("s")
                .orElseThrow();

        assertThat(server.toolFilter()).isEqualTo(new NameFilter(List.of("r*"), List.of()));
        assertThat(server.tools()).containsOnlyKeys("deny", "read");
    }

    @Test
    void usersHavePatternsOfTheirOwnOrThoseOfAllOthers() {
        var clients = read("{\"bridge\": {\"clients\": {\"alice\": {\"tools\": {\"deny\": [\"a__*\"]}},"
                        + " \"*\": {\"tools\": {\"allow\": [\"b__*\"]}}}}}")
                .bridge()
                .visibility();

        assertThat(clients.filter("alice")).isEqualTo(new NameFilter(List.of(), List.of("a__*")));
        assertThat(clients.filter("bob")).isEqualTo(new NameFilter(List.of("b__*"), List.of()));
        assertThat(ToolAccess.ALL.filter("bob")).isEqualTo(NameFilter.ALL);
    }

    @Test
    void mistakesAreReportedWithTheirPlaces() {
        assertThatThrownBy(() -> read("{\"mcpServers\": {\"s\": {\"command\": \"x\", \"tools\": {\"allow\": \"r*\"}}},"
                        + " \"bridge\": {\"clients\": {\"alice\": {\"tools\": {\"alow\": [\"a\"]}, \"tool\": {}}}}}"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("mcpServers.s.tools.allow")
                .hasMessageContaining("bridge.clients.alice.tools.alow");
    }

    private static BridgeConfiguration read(String json) {
        return BridgeConfiguration.parse(json, Path.of("."), Map.of());
    }
}
