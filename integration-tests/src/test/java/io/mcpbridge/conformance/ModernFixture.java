package io.mcpbridge.conformance;

import io.mcpbridge.peers.ChildServer;
import io.mcpbridge.peers.HttpServer;
import io.mcpbridge.peers.NodePeers;
import io.mcpbridge.peers.Program;
import io.mcpbridge.peers.UnixServer;
import java.net.URI;
import java.nio.file.Path;

/**
 * A server made with the second generation of the official TypeScript SDK that offers what the suite requires.
 *
 * <p>It is {@code peers/modern-fixture.mjs}, in a process of its own.
 */
public enum ModernFixture {
    /** Speaks revision 2026-07-28 only. */
    MODERN("modern"),
    /** Speaks that and the revisions before it. */
    DUAL("dual");

    private static final String SCRIPT = "modern-fixture.mjs";

    private final String eras;

    ModernFixture(String eras) {
        this.eras = eras;
    }

    /** Starts it over Streamable HTTP. */
    public HttpServer http() {
        var program = Program.start(NodePeers.script(SCRIPT, "http", eras));
        var port = program.awaitError("port=");
        return new HttpServer(URI.create("http://127.0.0.1:%s/mcp".formatted(port)), program::close);
    }

    /** The same server over standard streams. */
    public ChildServer stdio() {
        return new ChildServer(NodePeers.script(SCRIPT, "stdio", eras));
    }

    /** The same server at a Unix socket in {@code folder}, which only its owner may enter. */
    public UnixServer unix(Path folder) {
        var path = folder.resolve("fixture.sock");
        var program = Program.start(NodePeers.script(SCRIPT, "unix:" + path, eras));
        program.awaitError("path=");
        return new UnixServer(path, program::close);
    }
}
