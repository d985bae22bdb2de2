package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Principal;
import io.mcpbridge.engine.upstream.connection.DropCounter;
import io.mcpbridge.engine.upstream.lists.ListRemarks;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.testkit.RecordingLogger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** K6: the remarks about omitted tools are those of the last listing. */
@Timeout(60)
class OmittedToolsTest {
    private static final String GOOD = "\"inputSchema\":{\"type\":\"object\"}";
    private static final String BAD = "\"inputSchema\":[]";
    private static final Caller ALICE = user("alice");

    private final OneServer bench = OneServer.unshared();
    private final Lists lists = new Lists();
    private final ListRemarks remarks =
            new ListRemarks(OneServer.NAME, bench.environment, new DropCounter(OneServer.NAME, bench.time, bench.log));

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void k6RemarksAreClearedWhenTheServerHasNoTools() {
        list(ALICE).answer(tool("a", BAD));
        assertThat(reading().value()).isEqualTo(1);
        bench.server.declare("{}");
        bench.connection().end(Closed.exited(1, ""));
        bench.time.advance(Duration.ofSeconds(1));

        bench.send(bench.call(Methods.TOOLS_CALL, "{\"name\":\"a\"}", ALICE));
        bench.route.tools().list(ALICE, lists);

        assertThat(reading()).isEqualTo(new GaugeReading("catalog.left-out", 0, ""));
        assertThat(omissionReason("a")).isEmpty();
    }

    @Test
    void k6OmittedDuplicateDoesNotHideAListedTool() {
        list(ALICE).answer(tool("a", BAD), tool("a", GOOD), tool("b", BAD), tool("b", BAD));

        assertThat(lists.told).containsExactly(List.of("a"));
        assertThat(omissionReason("a")).isEmpty();
        assertThat(omissionReason("b")).isPresent();
        assertThat(reading().value()).isEqualTo(3);
        assertThat(reading().words()).contains("'a (no. 1 of the list)' (", "'b' (", "'b (no. 4 of the list)' (");
    }

    @Test
    void taskOnlyToolsAreOmittedWithTheReason() {
        list(ALICE).answer(tool("a", GOOD + task("required")), tool("b", GOOD + task("optional")), tool("c", GOOD));

        assertThat(lists.told).containsExactly(List.of("b", "c"));
        assertThat(omissionReason("a"))
                .contains("its 'execution.taskSupport' is \"required\", and the bridge serves no tasks");
    }

    private static String task(String support) {
        return ",\"execution\":{\"taskSupport\":\"%s\"}".formatted(support);
    }

    @Test
    void k6ListingsOfTwoUsersAreNotMixed() {
        var own = list(ALICE);
        var others = list(user("bob"));

        own.answer(tool("a", BAD), tool("b", BAD));
        others.answer(tool("c", BAD));

        assertThat(reading().value()).isEqualTo(1);
        assertThat(reading().words()).contains("'c' (").doesNotContain("'a' (");
    }

    @Test
    void k6EachKindHasItsOwnLogLimit() {
        reportOmitted("tool", 150);

        reportOmitted("prompt", 1);

        assertThat(loggedOmissions()).last().asString().startsWith("the prompt '1' of server 'tools' cannot be used");
    }

    @Test
    void k6LogCountsOnlyNewOmissions() {
        reportOmitted("tool", 20);
        reportOmitted("tool", 35);
        reportOmitted("tool", 35);
        reportOmitted("tool", 150);
        reportOmitted("tool", 151);

        assertThat(loggedOmissions())
                .filteredOn(line -> line.startsWith("the tool"))
                .hasSize(30);
        assertThat(loggedOmissions().stream()
                        .filter(line -> line.startsWith("and"))
                        .map(line -> line.substring(0, 18)))
                .containsExactly("and 10 more tools ", "and 5 more tools o", "and 105 more tools");
    }

    private void reportOmitted(String word, int count) {
        var reasons = IntStream.rangeClosed(1, count)
                .boxed()
                .collect(Collectors.toMap(String::valueOf, number -> "it is odd", (a, b) -> a, TreeMap::new));
        remarks.rejected(word, reasons);
    }

    private List<String> loggedOmissions() {
        return bench.log.entries().stream()
                .map(RecordingLogger.Entry::text)
                .filter(line -> line.contains("cannot be used and"))
                .map(line -> line.replace("[mcp-bridge] ", ""))
                .toList();
    }

    /** A listing that the server has not answered yet. */
    private record Asked(HeldTransport connection, Outgoing request) {

        void answer(String... tools) {
            connection.answer(request, "{\"tools\":[" + String.join(",", tools) + "]}");
        }
    }

    private Asked list(Caller caller) {
        bench.route.tools().list(caller, lists);
        return new Asked(bench.connection(), bench.connection().last());
    }

    private GaugeReading reading() {
        return bench.upstream().readings().stream()
                .filter(each -> each.name().equals("catalog.left-out"))
                .findFirst()
                .orElseThrow();
    }

    private Optional<String> omissionReason(String tool) {
        return bench.route.tools().of(ALICE).whyRejected(tool);
    }

    private static Caller user(String name) {
        return Caller.ANONYMOUS.withPrincipal(new Principal(name, "token"));
    }

    private static String tool(String name, String schema) {
        return "{\"name\":\"%s\",%s}".formatted(name, schema);
    }
}
