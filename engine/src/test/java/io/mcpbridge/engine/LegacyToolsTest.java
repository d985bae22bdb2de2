package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whether a tool's results need another shape for legacy clients is seen when its server is known. */
class LegacyToolsTest {
    private static final String RESULT = "{\"content\":[],\"structuredContent\":[1]}";

    private final ManyServers bench = new ManyServers(ToolNaming.PREFIX, "old", "new");

    LegacyToolsTest() {
        bench.modern("new");
        bench.lists("new", ListKind.TOOLS, "list");
        bench.lists("old", ListKind.TOOLS, "list");
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private String structured(String server) {
        var reply = bench.ask(Methods.TOOLS_CALL, "{\"name\":\"%s__list\"}".formatted(server));
        bench.answer(server, RESULT);
        return reply.awaitAnswer().raw(MessageField.STRUCTURED_CONTENT).orElse("");
    }

    @Test
    void resultOfTheFirstCallToAModernServerIsWrapped() {
        assertThat(structured("new")).isEqualTo("{\"result\":[1]}");
        assertThat(structured("new")).isEqualTo("{\"result\":[1]}");
    }

    @Test
    void resultOfTheFirstCallToALegacyServerIsNotWrapped() {
        assertThat(structured("old")).isEqualTo("[1]");
        assertThat(structured("old")).isEqualTo("[1]");
    }
}
