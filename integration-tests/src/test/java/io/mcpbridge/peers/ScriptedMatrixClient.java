package io.mcpbridge.peers;

import io.modelcontextprotocol.json.McpJsonDefaults;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A client of the TypeScript SDKs: one process, {@code peers/matrix.mjs}, that goes from server to server. */
final class ScriptedMatrixClient implements MatrixClient {
    private final Program program;

    private ScriptedMatrixClient(Program program) {
        this.program = program;
    }

    /**
     * Starts it.
     *
     * @param generation {@code v1}, {@code modern} or {@code auto}
     * @param place where the daemon is, as the script takes it
     */
    static MatrixClient start(String generation, Collection<String> servers, List<String> place) {
        var command = new ArrayList<>(NodePeers.script("matrix.mjs", generation, String.join(",", servers)));
        command.addAll(place);
        return new ScriptedMatrixClient(Program.start(command));
    }

    @Override
    public Seen converse(String server) throws IOException {
        var start = "{\"server\":\"%s\"".formatted(server);
        return McpJsonDefaults.getMapper().readValue(start + program.awaitLine(start), Seen.class);
    }

    @Override
    public void close() {
        program.close();
    }
}
