package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call that was looked up goes where that led, also when another server owns its name by then. */
@Timeout(60)
class FoundTargetTest {
    private final ManyServers servers = new ManyServers(ToolNaming.PLAIN, "old");

    @AfterEach
    void close() {
        servers.close();
    }

    @Test
    void callGoesToTheServerThatTheLookupFound() {
        servers.lists("old", ListKind.TOOLS, "work");
        var found = servers.found(Methods.TOOLS_CALL, "{\"name\":\"work\"}");
        exchange(ListKind.TOOLS, "work");

        var reply = found.get();

        servers.answer("old", "{\"content\":[]}");
        assertThat(reply.awaitAnswer().raw(MessageField.RESULT)).contains("{\"content\":[]}");
    }

    @Test
    void callCarriesTheOwnNameOfTheTool() {
        try (var prefixed = new ManyServers(ToolNaming.PREFIX, "old")) {
            prefixed.lists("old", ListKind.TOOLS, "work");

            var reply = prefixed.found(Methods.TOOLS_CALL, "{\"name\":\"old__work\"}")
                    .get();

            assertThat(reply.isDone()).isFalse();
            assertThat(name(prefixed.server("old").last().message())).isEqualTo("work");
        }
    }

    @Test
    void promptsResourcesAndCompletionsGoToTheServerThatTheLookupFound() {
        servers.lists("old", ListKind.PROMPTS, "hello");
        servers.lists("old", ListKind.RESOURCES, "file:///a");
        var prompt = servers.found(Methods.PROMPTS_GET, "{\"name\":\"hello\"}");
        var resource = servers.found(Methods.RESOURCES_READ, "{\"uri\":\"file:///a\"}");
        var completion = servers.found(
                Methods.COMPLETION_COMPLETE, "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"hello\"},\"argument\":{}}");
        exchange(ListKind.PROMPTS, "hello");

        for (var each : List.of(prompt, resource, completion)) {
            var reply = each.get();
            servers.answer("old", "{}");
            assertThat(reply.awaitAnswer().isError()).isFalse();
        }
    }

    /** Puts another server in the place of the old one. */
    private void exchange(ListKind<?> kind, String key) {
        servers.remove("old");
        servers.add("fresh", ManyServers.EVERYTHING, Map.of("keep-alive", "0s"));
        servers.lists("fresh", kind, key);
    }

    private static String name(Message message) {
        return ((Request) message).text(MessageField.NAME).orElse("");
    }
}
