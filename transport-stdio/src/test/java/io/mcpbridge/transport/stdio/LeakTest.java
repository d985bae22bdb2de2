package io.mcpbridge.transport.stdio;

import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.RecordingReceiver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Nothing is left of connections that came and went. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class LeakTest {
    private static final int TIMES = 50;

    @Test
    void fiftyConnectionsLeaveNoThreadFileOrChild() throws Exception {
        try (var fixture = new Fixture()) {
            openAndClose(fixture, "cat");
            var before = LeakCheck.now();

            for (int i = 0; i < TIMES; i++) {
                openAndClose(fixture, "cat");
                openAndClose(fixture, "sleep 1000 & read line; kill -KILL $$");
            }

            before.assertNothingLeftNorOpen();
        }
    }

    private static void openAndClose(Fixture fixture, String script) throws InterruptedException {
        var receiver = new RecordingReceiver();
        var transport = fixture.shell(script);
        transport.open(receiver, fixture.deadline());
        var out = fixture.request(1, "hello");
        transport.send(out);
        receiver.awaitWritten(out);
        transport.close();
    }
}
