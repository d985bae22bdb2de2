package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Principal;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Items that a server lists for one user are invisible and unreachable for others, and no error reveals them. */
class HiddenFromOthersTest {
    private final ManyServers bench = new ManyServers(ToolNaming.PLAIN, "other");
    private final Caller alice = user("alice");
    private final Caller bob = user("bob");

    @BeforeEach
    void listForAlice() {
        bench.add("private", ManyServers.EVERYTHING, Map.of("shared", false));
        bench.lists("private", ListKind.TOOLS, "secret");
        bench.lists("private", ListKind.PROMPTS, "secret");
        bench.lists("private", ListKind.RESOURCES, "secret://1");
        for (var method : new String[] {Methods.TOOLS_LIST, Methods.PROMPTS_LIST, Methods.RESOURCES_LIST}) {
            assertThat(bench.ask(alice, method, "{}").awaitAnswer().json()).contains("secret");
        }
        bench.lists("private", ListKind.TOOLS);
        bench.lists("private", ListKind.PROMPTS);
        bench.lists("private", ListKind.RESOURCES);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void itemsOfOneUserAreNotListedForAnother() {
        for (var method : new String[] {Methods.TOOLS_LIST, Methods.PROMPTS_LIST, Methods.RESOURCES_LIST}) {
            assertThat(bench.ask(bob, method, "{}").awaitAnswer().json()).doesNotContain("secret");
        }
    }

    @Test
    void itemsOfAnotherUserAreReportedAsUnknown() {
        assertThat(refusal(Methods.TOOLS_CALL, "{\"name\":\"%s\"}", "secret"))
                .isEqualTo(refusal(Methods.TOOLS_CALL, "{\"name\":\"%s\"}", "nothing"));
        assertThat(refusal(Methods.PROMPTS_GET, "{\"name\":\"%s\"}", "secret"))
                .isEqualTo(refusal(Methods.PROMPTS_GET, "{\"name\":\"%s\"}", "nothing"));
        assertThat(refusal(
                        Methods.COMPLETION_COMPLETE, "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"%s\"}}", "secret"))
                .isEqualTo(refusal(
                        Methods.COMPLETION_COMPLETE, "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"%s\"}}", "nothing"));
    }

    @Test
    void resourceOfAnotherUserCannotBeRead() {
        var error = bench.ask(bob, Methods.RESOURCES_READ, "{\"uri\":\"secret://1\"}")
                .awaitAnswer();

        assertThat(error.text(MessageField.ERROR_MESSAGE)).contains("Unknown resource: secret://1");
        assertThat(bench.server("private").requests())
                .noneMatch(out -> ((Request) out.message()).method().equals(Methods.RESOURCES_READ));
    }

    private String refusal(String method, String params, String name) {
        return bench.ask(bob, method, params.formatted(name))
                .awaitFailure()
                .message()
                .replace(name, "…");
    }

    private static Caller user(String name) {
        return Caller.ANONYMOUS.withPrincipal(new Principal(name, "token"));
    }
}
