package io.mcpbridge.engine.session;

import io.mcpbridge.engine.upstream.connection.ServerProfile;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MetaKeys;
import io.mcpbridge.message.ProtocolVersion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The self-description of the bridge, or of a tool server, for clients.
 *
 * @param name for example {@code mcp-bridge-server}
 * @param version the artifact's version
 * @param instructions its own, for the client's model, or the empty string
 * @param keeper the name of the instance that runs calls with one idempotency key once, or the empty string
 * @param features the names of the capabilities of a program; empty for a bridge, which offers those of all servers
 */
public record ServerCard(String name, String version, String instructions, String keeper, List<String> features) {

    /** The revisions of the modern era that are served, as a JSON array. */
    public static final String MODERN_REVISIONS = ProtocolVersion.KNOWN.stream()
            .filter(version -> version.era() == Era.MODERN)
            .map(version -> JsonStrings.quote(version.text()))
            .collect(Collectors.joining(",", "[", "]"));

    private static final String MESSAGE_ROUTING = "\"supportsMessageRouting\":true";

    /**
     * The capabilities in both eras. They do not depend on the servers behind the bridge, which change and are
     * connected on demand.
     */
    private static final String CAPABILITIES_BEGIN = "{\"tools\":{\"listChanged\":true},"
            + "\"resources\":{\"subscribe\":true,\"listChanged\":true},"
            + "\"prompts\":{\"listChanged\":true},\"completions\":{},\"logging\":{},"
            + "\"experimental\":{";

    public ServerCard {
        features = List.copyOf(features);
    }

    /** Creates the card of a bridge that keeps no outcomes. */
    public ServerCard(String name, String version, String instructions) {
        this(name, version, instructions, "");
    }

    /** Creates the card of a bridge. */
    public ServerCard(String name, String version, String instructions, String keeper) {
        this(name, version, instructions, keeper, List.of());
    }

    /** Creates the card of a program that serves these features, at least one. */
    public static ServerCard ofProgram(String name, String version, String instructions, List<String> features) {
        return new ServerCard(name, version, instructions, "", features);
    }

    /** @param bare members of {@code experimental} that are no objects, each with a comma behind it */
    private String capabilities(String bare) {
        if (!features.isEmpty()) {
            return features.stream()
                    .map("\"%s\":{\"listChanged\":true}"::formatted)
                    .collect(Collectors.joining(",", "{", ",\"logging\":{}}"));
        }
        var keeps = keeper.isEmpty()
                ? ""
                : ",\"%s\":{\"instance\":%s}".formatted(ServerProfile.KEEPS_OUTCOMES, JsonStrings.quote(keeper));
        return CAPABILITIES_BEGIN + bare + "\"io.mcpbridge\":{" + MESSAGE_ROUTING + "}" + keeps + "}}";
    }

    /** Returns the result of {@code initialize} in the negotiated revision. */
    String initializeResult(ClientDescription client, Introductions servers) {
        var version = "\"protocolVersion\":" + JsonStrings.quote(client.agreed().text());
        // Other clients may be strict, and reject a bare true where the specification requires an object.
        var bare = client.knowsMessageRouting() ? MESSAGE_ROUTING + "," : "";
        return result(version, bare, ",\"serverInfo\":" + info(), servers);
    }

    /** The result of {@code server/discover}, without the members that every result of the modern era has. */
    public String discoverResult(Introductions servers) {
        return result("\"supportedVersions\":" + MODERN_REVISIONS, "", "", servers);
    }

    private String result(String versions, String bare, String info, Introductions servers) {
        var text = instructions.isEmpty() ? servers.instructions() : instructions;
        var more = text.isEmpty() ? "" : ",\"instructions\":" + JsonStrings.quote(text);
        return "{%s,\"capabilities\":%s%s%s%s}".formatted(versions, capabilities(bare), info, more, servers.meta());
    }

    /** Name and version, raw JSON. */
    public String info() {
        return "{\"name\":%s,\"version\":%s,\"protocols\":[\"mcp/1.0\"]}"
                .formatted(JsonStrings.quote(name), JsonStrings.quote(version));
    }

    /**
     * What the servers behind a bridge say about themselves to one caller.
     *
     * @param known what each said at its last connection, by the name that clients see
     * @param total the number of all servers, also of those that were never connected
     */
    public record Introductions(Map<String, ServerProfile> known, int total) {
        /** There are no servers. */
        public static final Introductions NONE = new Introductions(Map.of(), 0);

        /** The instructions of the only server, or those of each under its name. */
        private String instructions() {
            return known.entrySet().stream()
                    .filter(server -> !server.getValue().instructions().isEmpty())
                    .map(server -> (total > 1 ? "# " + server.getKey() + "\n\n" : "")
                            + server.getValue().instructions())
                    .collect(Collectors.joining("\n\n"));
        }

        private String meta() {
            var infos = new LinkedHashMap<String, String>();
            known.forEach((name, said) -> infos.put(name, said.info()));
            return infos.isEmpty()
                    ? ""
                    : ",\"_meta\":{\"%s\":%s}".formatted(MetaKeys.SERVER_INFOS, JsonCodec.object(infos));
        }
    }
}
