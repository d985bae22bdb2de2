package io.mcpbridge.peers;

import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients of every era that reach the daemon over HTTP. */
class MatrixOverHttpTest extends MatrixContract {

    @RegisterExtension
    static final TestDaemon DAEMON = inFrontOfAll();

    @Override
    protected TestDaemon daemon() {
        return DAEMON;
    }

    @Override
    protected List<String> clients() {
        return List.of("legacy TypeScript", "legacy Java SDK", "modern TypeScript", "dual TypeScript");
    }

    @Override
    protected MatrixClient connect(String client) {
        return switch (client) {
            case "legacy TypeScript" -> script("v1");
            case "legacy Java SDK" -> new JavaSdkMatrixClient(SdkClient.http(DAEMON.http()));
            case "modern TypeScript" -> script("modern");
            default -> script("auto");
        };
    }

    private static MatrixClient script(String generation) {
        var place = List.of("http", DAEMON.http().toString());
        return ScriptedMatrixClient.start(generation, servers(), place);
    }
}
