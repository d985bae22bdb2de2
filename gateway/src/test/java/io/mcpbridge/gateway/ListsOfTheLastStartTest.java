package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A daemon lists the tools that its servers had when it ran last, and corrects them. */
@Timeout(60)
class ListsOfTheLastStartTest {
    @RegisterExtension
    private final DaemonFixture fixture = new DaemonFixture();

    private final SlowTools slow = new SlowTools();

    ListsOfTheLastStartTest() throws IOException {}

    @Test
    void secondStartListsBeforeTheServerAnswers() throws Exception {
        var folder = fixture.folder.resolve("tools");
        var options = DaemonOptions.DEFAULTS.withListFolder(folder);
        slow.tools.tool("old", "of the first start");
        fixture.unix("slow", slow);
        var first = fixture.start(options);
        assertThat(fixture.client("one").toolNames()).containsExactly("slow__old");
        Eventually.holds("the list to be kept", () -> Files.exists(folder.resolve("slow.json")));
        first.close();
        slow.hold();
        slow.tools.tool("recent", "of the second start");

        fixture.start(options);
        var client = fixture.client("two");

        assertThat(client.toolNames()).containsExactly("slow__old");
        slow.release();
        Eventually.holds("the client to be notified", () -> client.count(Methods.TOOLS_LIST_CHANGED) > 0);
        assertThat(client.toolNames()).containsExactly("slow__old", "slow__recent");
        assertThat(client.count(Methods.TOOLS_LIST_CHANGED)).isOne();
    }

    /** A server that answers nothing until the test releases it. */
    private static final class SlowTools implements Script {
        private final ChangingTools tools = new ChangingTools();
        private final List<Runnable> held = new CopyOnWriteArrayList<>();
        private volatile boolean isHolding;

        void hold() {
            isHolding = true;
        }

        void release() {
            isHolding = false;
            held.forEach(Runnable::run);
        }

        @Override
        public void received(Message message, Wire wire) {
            if (isHolding) {
                held.add(() -> tools.received(message, wire));
            } else {
                tools.received(message, wire);
            }
        }
    }
}
