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

    @ParameterizedTest(name = "{0} matches {1}: {2}")
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
    void patternMatchesNames(String pattern, String name, boolean fits) {
        assertThat(new NameFilter(List.of(pattern), List.of()).admits(name)).isEqualTo(fits);
        assertThat(new NameFilter(List.of(), List.of(pattern)).admits(name)).isNotEqualTo(fits);
    }

    @Test
    void denyPrecedesAllow() {
        var filter = new NameFilter(List.of("read_*", "list"), List.of("*_secret"));

        assertThat(List.of("read_file", "list", "read_secret", "write").stream().filter(filter::admits))
                .containsExactly("read_file", "list");
    }

    @Test
    void patternWithManyStarsMatchesInLinearTime() {
        assertThat(new NameFilter(List.of("*a".repeat(60) + "b"), List.of()).admits("a".repeat(120)))
                .isFalse();
    }

    @Test
    void allowAndDenyListsCoexistWithToolSections() {
        var server = read("{\"mcpServers\": {\"s\": {\"command\": \"x\", \"tools\": {\"allow\": [\"r*\"],"
                        + " \"deny\": {\"timeout\": \"3s\"}, \"read\": {\"timeout\": \"5s\"}}}}}")
                .server("s")
                .orElseThrow();

        assertThat(server.toolFilter()).isEqualTo(new NameFilter(List.of("r*"), List.of()));
        assertThat(server.tools()).containsOnlyKeys("deny", "read");
    }

    @Test
    void userHasItsOwnPatternsOrTheDefaultOnes() {
        var clients = read("{\"bridge\": {\"clients\": {\"alice\": {\"tools\": {\"deny\": [\"a__*\"]}},"
                        + " \"*\": {\"tools\": {\"allow\": [\"b__*\"]}}}}}")
                .bridge()
                .visibility();

        assertThat(clients.of("alice").tools()).isEqualTo(new NameFilter(List.of(), List.of("a__*")));
        assertThat(clients.of("bob").tools()).isEqualTo(new NameFilter(List.of("b__*"), List.of()));
        assertThat(UserAccess.ALL.of("bob").tools()).isEqualTo(NameFilter.ALL);
    }

    @ParameterizedTest(name = "{0}: {1} {2} {3}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                             | true  | true  | true",
                "{'search-tools': true}                                         | true  | true  | true",
                "{'tools': {'deny': ['x']}}                                     | true  | true  | true",
                "{'tools': {'allow': ['it']}}                                   | true  | false | false",
                "{'tools': {'allow': []}}                                       | false | false | false",
                "{'resources': {'allow': ['it']}}                               | false | true  | false",
                "{'prompts': {'allow': ['it']}}                                 | false | false | true",
                "{'tools': {'allow': ['it']}, 'resources': {}}                  | true  | true  | false",
                "{'tools': {'allow': ['it']}, 'prompts': {'deny': ['x']}}       | true  | false | true",
                "{'resources': {'deny': ['*']}, 'prompts': {'deny': ['*']}}     | true  | false | false",
            },
            quoteCharacter = '"')
    void userWithPermissionsHasNothingElse(String section, boolean tool, boolean resource, boolean prompt) {
        var json = "{'bridge': {'clients': {'alice': %s}}}".formatted(section).replace('\'', '"');

        var granted = read(json).bridge().visibility().of("alice");

        assertThat(granted.tools().admits("it")).isEqualTo(tool);
        assertThat(granted.resources().admitsUri("it")).isEqualTo(resource);
        assertThat(granted.prompts().admits("it")).isEqualTo(prompt);
    }

    @ParameterizedTest(name = "{0} allows {1}: {2}")
    @CsvSource({
        "file:///a/*, file:///a/x, true",
        "file:///a/*, file:///a/x%20y, true",
        "file:///a/*, file:///b/x, false",
        "file:///a/*, FILE:///a/x, false",
        "file:///a/*, file:///a/../b/x, false",
        "file:///a/*, file:///a/.., false",
        "file:///a/*, file:///a/%2E%2e/b, false",
        "file:///a/*, file:///a/..%2Fb, false",
        "file:///a/*, file:///a/..%5Cb, false",
        "file:///a/*, file:///a/..b/x, true",
        "http://h/q?a=*, http://h/q?a=1, true",
        "http://h/q?a=*, http://h/q/a=1, false",
        "repo://{owner}/*, repo://{owner}/{name}, true",
    })
    void patternAllowsUris(String pattern, String uri, boolean isAllowed) {
        assertThat(new NameFilter(List.of(pattern), List.of()).admitsUri(uri)).isEqualTo(isAllowed);
    }

    @ParameterizedTest(name = "{0} denies {1}: {2}")
    @CsvSource({
        "file:///etc/*, file:///etc/passwd, true",
        "file:///etc/*, FILE:///etc/passwd, true",
        "file:///etc/*, file:///%65tc/passwd, true",
        "file:///etc/*, file:///etc%2Fpasswd, true",
        "file:///etc/*, file:///tmp/../etc/passwd, true",
        "file:///a%20b/*, file:///a b/c, true",
        "file:///etc/*, file:///etcetera, false",
        "file:///etc/*, file:///tmp/%zz, false",
    })
    void patternDeniesUris(String pattern, String uri, boolean isDenied) {
        assertThat(new NameFilter(List.of(), List.of(pattern)).admitsUri(uri)).isNotEqualTo(isDenied);
        assertThat(NameFilter.ALL.admitsUri(uri)).isTrue();
    }

    @Test
    void mistakesAreReportedWithTheirPaths() {
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
