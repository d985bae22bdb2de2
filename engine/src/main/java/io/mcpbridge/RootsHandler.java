package io.mcpbridge;

import io.mcpbridge.tool.Json;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers servers that ask for the folders they may work on.
 *
 * <p>A handler may block. It runs on a worker thread, which is interrupted when the server or the call no longer needs
 * the answer.
 */
@FunctionalInterface
public interface RootsHandler {

    /**
     * Answers one request of a server.
     *
     * @throws Exception if the handler has no answer; the bridge logs the exception, and the server learns only that
     *     the client has no answer
     */
    List<Root> listRoots(ListRootsRequest request) throws Exception;

    /**
     * A request for the roots.
     *
     * @param server the configured name of the server; for a connection, the name that messages use
     * @param json the params of {@code roots/list}
     */
    record ListRootsRequest(String server, Json json) {}

    /**
     * A folder or file that servers may work on.
     *
     * @param uri a URI with the scheme {@code file}
     * @param name the display name, or the empty string
     */
    record Root(URI uri, String name) {

        /** A folder or file of this machine, without a name. */
        public static Root of(Path path) {
            return new Root(path.toUri(), "");
        }

        Map<String, String> members() {
            var members = new LinkedHashMap<String, String>();
            members.put("uri", uri.toString());
            if (!name.isEmpty()) {
                members.put("name", name);
            }
            return members;
        }
    }
}
