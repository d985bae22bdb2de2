package io.mcpbridge.peers;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients of every era that reach the daemon over its Unix socket, those of others by {@code mcp-bridge connect}. */
class MatrixOverUnixTest extends MatrixContract {

    @RegisterExtension
    static final TestDaemon DAEMON = inFrontOfAll();

    @Override
    protected TestDaemon daemon() {
        return DAEMON;
    }

    @Override
    protected List<String> clients() {
        return List.of(
                "legacy TypeScript", "legacy Java SDK", "modern TypeScript", "dual TypeScript", "dual Connection");
    }

    @Override
    protected MatrixClient connect(String client) throws InterruptedException {
        return switch (client) {
            case "legacy TypeScript" -> script("v1");
            case "legacy Java SDK" -> new JavaSdkMatrixClient(SdkClient.stdio(connectCommand()));
            case "modern TypeScript" -> script("modern");
            case "dual TypeScript" -> script("auto");
            default -> new OurMatrixClient(URI.create("unix:" + DAEMON.socket()));
        };
    }

    private static MatrixClient script(String generation) {
        var place = new ArrayList<>(List.of("stdio"));
        place.addAll(connectCommand());
        return ScriptedMatrixClient.start(generation, servers(), place);
    }

    private static List<String> connectCommand() {
        return JavaCommand.mcpBridge(
                "connect", "--mcp-bridge-socket", DAEMON.socket().toString());
    }
}
