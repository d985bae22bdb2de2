package io.mcpbridge.catalog.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.SchemaCheck.SchemaIssue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** K1 to K5: what servers can write into a schema to exhaust the checker. */
@Timeout(60)
class HostileSchemaTest {
    private final JsonSchemaCheckProvider provider = new JsonSchemaCheckProvider();

    @DisplayName("K1: a regex bomb ends with its budget")
    @ParameterizedTest(name = "K1: {0}")
    @ValueSource(
            strings = {"^(.*a){25}$", "^(.*)*(.*)*(.*)*b$", "^(.+.+)+(.+.+)+b$", "(a*)*(a*)*(a*)*(a*)*(a*)*(a*)*b"})
    void k1RegexBombEndsWithItsBudget(String pattern) {
        var check = provider.compile("{\"type\":\"string\",\"pattern\":\"" + pattern + "\"}");

        var issues = check.issues("\"" + "a".repeat(60) + "!\"");

        assertThat(singleIssue(issues))
                .contains("cannot be checked, since the schema costs too much", "20,000,000 visits");
    }

    @DisplayName("K1: rounds and choices that match no character end with their budget too")
    @ParameterizedTest(name = "K1: {0}")
    @ValueSource(
            strings = {
                "(?:(?:(?:){9999}){9999}){99}x",
                "(?:(?:(?:(?=)){9999}){9999}){99}x",
                "(?:^{9999}){999999}x",
                "^{999999999}x",
                "(?:(?:(?:a?){9999}){9999}){99}x",
                "(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)"
                        + "(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)x",
                "(?:(){1}(?:\\\\1{9999}){9999}){99}x",
                "(?i)(?:(?:(?<!q){9999}){9999}){99}x"
            })
    void k1EmptyIterationsEndWithTheirBudget(String pattern) {
        var check = provider.compile("{\"pattern\":\"" + pattern + "\"}");

        assertThat(singleIssue(check.issues("\"yyyyyy\""))).containsAnyOf("costs too much", "does not match");
        assertThat(singleIssue(check.issues("\"\""))).containsAnyOf("costs too much", "does not match");
    }

    @ParameterizedTest(name = "K1: {0} is not a pattern")
    @ValueSource(strings = {"a{2}{999999999}x", "{999999999}x", "(?x)a #", "\\\\Qa\\\\E", "(?i){999}", "[a", "|*"})
    void k1PatternsThatCouldHideARepetitionAreRejected(String pattern) {
        assertThatThrownBy(() -> provider.compile("{\"pattern\":\"" + pattern + "\"}"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the schema");
    }

    @Test
    void k1AllPatternsOfACheckShareOneBudget() {
        var check = provider.compile("{\"type\":\"array\",\"items\":{\"pattern\":\"^(.*a){6}$\"}}");
        var item = "\"" + "a".repeat(30) + "!\"";

        var issues = check.issues("[" + (item + ",").repeat(500) + item + "]");

        assertThat(singleIssue(issues)).contains("costs too much");
        assertThat(check.issues("[\"aaaaaaa\"]")).isEmpty();
    }

    @Test
    void k1MemberNamePatternEndsWithItsBudget() {
        var check = provider.compile("{\"patternProperties\":{\"^(.*a){25}$\":{\"type\":\"string\"}}}");

        assertThat(singleIssue(check.issues("{\"" + "a".repeat(60) + "!\":1}"))).contains("costs too much");
    }

    @Test
    void k2ExponentialAnyOfEndsWithItsBudget() {
        var schema = new StringBuilder("{\"$ref\":\"#/$defs/n0\",\"$defs\":{");
        for (int i = 0; i < 26; i++) {
            var next = "{\"$ref\":\"#/$defs/n%d\"}".formatted(i + 1);
            schema.append("\"n%d\":{\"anyOf\":[%s,%s]},".formatted(i, next, next));
        }
        schema.append("\"n26\":{\"type\":\"integer\"}}}");

        var issues = provider.compile(schema.toString()).issues("\"text\"");

        assertThat(singleIssue(issues)).contains("costs too much", "20,000,000 visits");
    }

    @ParameterizedTest(name = "K3: {0}")
    @ValueSource(
            strings = {
                "{\"$ref\":\"#\"}",
                "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":\"#/$defs/b\"},\"b\":{\"$ref\":\"#/$defs/a\"}}}",
                "{\"allOf\":[{\"$ref\":\"#\"}]}",
                "{\"$dynamicAnchor\":\"n\",\"$dynamicRef\":\"#n\"}"
            })
    void k3SelfReferenceDoesNotOverflowTheStack(String schema) {
        try {
            assertThat(singleIssue(provider.compile(schema).issues("{\"a\":1}")))
                    .contains("costs too much");
        } catch (ConfigurationException refused) {
            assertThat(refused).hasMessageContaining("the schema cannot be checked");
        }
    }

    @Test
    void k3RecursiveSchemaAcceptsAFiniteTree() {
        var check = provider.compile(
                "{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":\"#\"},\"n\":{\"type\":\"integer\"}}}");

        assertThat(check.issues("{\"next\":{\"next\":{\"n\":1}}}")).isEmpty();
        assertThat(check.issues("{\"next\":{\"next\":{\"n\":\"x\"}}}"))
                .singleElement()
                .asString()
                .startsWith("/next/next/n");
    }

    @Test
    void k4DeepSchemaIsRejectedBeforeItIsCompiled() {
        var deep = "{\"allOf\":[".repeat(5_000) + "{}" + "]}".repeat(5_000);

        assertThatThrownBy(() -> provider.compile(deep))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the schema cannot be checked")
                .hasMessageContaining("depth");
    }

    @Test
    void k4OversizedSchemaIsRejected() {
        var wide = "{\"enum\":[" + "\"0123456789\",".repeat(100_000) + "1]}";

        assertThatThrownBy(() -> provider.compile(wide))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("it has 1,300,012 characters but may have 1,048,576");
    }

    @Test
    void k4DeepValueIsInvalid() {
        var check = provider.compile("{\"items\":{\"$ref\":\"#\"}}");

        assertThat(singleIssue(check.issues("[".repeat(5_000) + "]".repeat(5_000))))
                .contains("cannot be read");
    }

    @Test
    void k5NothingIsFetched() throws IOException {
        var hits = new AtomicInteger();
        var canary = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        canary.createContext("/", exchange -> {
            hits.incrementAndGet();
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        canary.start();
        try {
            var there =
                    "http://127.0.0.1:%d/s.json".formatted(canary.getAddress().getPort());
            for (var schema : List.of(
                    "{\"$ref\":\"%s\"}".formatted(there),
                    "{\"$schema\":\"%s\"}".formatted(there),
                    "{\"$id\":\"%s\",\"$ref\":\"other.json\"}".formatted(there),
                    "{\"$ref\":\"file:///etc/hostname\"}",
                    "{\"$ref\":\"classpath:logging.properties\"}",
                    "{\"$ref\":\"jar:file:/x.jar!/a.json\"}")) {
                assertThatThrownBy(() -> provider.compile(schema))
                        .as(schema)
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContaining("the schema");
            }
            var dynamic = provider.compile("{\"properties\":{\"a\":{\"$dynamicRef\":\"%s#a\"}}}".formatted(there));
            assertThat(dynamic.issues("{\"a\":1}")).isNotEmpty();
        } finally {
            canary.stop(0);
        }
        assertThat(hits).hasValue(0);
    }

    @Test
    void ordinarySchemaStaysWithinTheBudget() {
        var check = provider.compile("{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"n\"],"
                + "\"properties\":{\"n\":{\"type\":\"integer\"},\"s\":{\"pattern\":\"^[a-z]{1,20}$\"}}}}");

        assertThat(check.issues("[" + "{\"n\":1,\"s\":\"abcdef\"},".repeat(2_000) + "{\"n\":1}]"))
                .isEmpty();
    }

    private static String singleIssue(List<SchemaIssue> issues) {
        assertThat(issues).hasSize(1);
        return issues.get(0).toString();
    }
}
