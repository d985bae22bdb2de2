package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A change of a server's resources or prompts is reported to clients once, and the next list shows it. */
class ListChangesTest {
    private final ManyServers bench = new ManyServers(ToolNaming.PREFIX, "a", "b");

    @AfterEach
    void close() {
        bench.close();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "resources/list, notifications/resources/list_changed",
        "resources/templates/list, notifications/resources/list_changed",
        "prompts/list, notifications/prompts/list_changed"
    })
    void changedListIsReportedAndListedAgain(String list, String changed) {
        bench.result(list, "{}");
        bench.lists("a", kind(list), "x:y");

        bench.server("a").receive(Notification.of(changed));
        bench.settle();

        assertThat(bench.changes).containsExactly(changed);
        assertThat(bench.result(list, "{}")).contains("x:y");
    }

    @Test
    void changeWithoutADifferenceIsNotReported() {
        bench.lists("a", ListKind.PROMPTS, "x");
        bench.result(Methods.PROMPTS_LIST, "{}");

        bench.server("a").receive(Notification.of(Methods.PROMPTS_LIST_CHANGED));
        bench.settle();

        assertThat(bench.changes).isEmpty();
    }

    @Test
    void changeOfAListThatWasNeverRequestedIsReportedWithoutAListing() {
        bench.result(Methods.TOOLS_LIST, "{}");

        bench.server("a").receive(Notification.of(Methods.PROMPTS_LIST_CHANGED));

        assertThat(bench.changes).containsExactly(Methods.PROMPTS_LIST_CHANGED);
        assertThat(bench.server("a").requests()).hasSize(1);
    }

    @Test
    void changeInvalidatesOnlyTheListOfItsSession() {
        var asked = Caller.ANONYMOUS.withCapabilities("{\"sampling\":{}}");
        bench.lists("a", ListKind.RESOURCES, "x:1");
        bench.ask(asked, Methods.RESOURCES_LIST, "{}");
        var other = bench.server("a");
        bench.result(Methods.RESOURCES_LIST, "{}");
        bench.lists("a", ListKind.RESOURCES, "x:1", "x:2");

        bench.server("a").receive(Notification.of(Methods.RESOURCES_LIST_CHANGED));
        bench.settle();

        assertThat(bench.result(Methods.RESOURCES_LIST, "{}")).contains("x:2");
        assertThat(bench.ask(asked, Methods.RESOURCES_LIST, "{}").awaitAnswer().json())
                .doesNotContain("x:2");
        assertThat(other.requests()).hasSize(1);
    }

    @Test
    void modernClientsShareOneListing() {
        var one = modern("{}");
        var two = modern("{\"sampling\":{}}");
        bench.lists("a", ListKind.RESOURCES, "x:1");
        bench.ask(one, Methods.RESOURCES_LIST, "{}");

        var reply = bench.ask(two, Methods.RESOURCES_LIST, "{}");

        assertThat(reply.awaitAnswer().raw(MessageField.RESULT))
                .contains("{\"resources\":[{\"uri\":\"x:1\",\"name\":\"n\"}]}");
        assertThat(bench.server("a").requests()).hasSize(1);
    }

    private static Caller modern(String capabilities) {
        return Caller.ANONYMOUS.withVersion(ProtocolVersion.LATEST).withCapabilities(capabilities);
    }

    private static ListKind<?> kind(String method) {
        return switch (method) {
            case Methods.RESOURCES_LIST -> ListKind.RESOURCES;
            case Methods.RESOURCES_TEMPLATES_LIST -> ListKind.TEMPLATES;
            default -> ListKind.PROMPTS;
        };
    }
}
