package io.mcpbridge.downstream.calls;

import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.upstream.introduction.ServerProfile;
import java.util.stream.Collectors;

/**
 * What the bridge, or a server of tools, says of itself to clients.
 *
 * @param name for example {@code mcp-bridge-server}
 * @param version the artifact's version
 * @param instructions for the client's model, or the empty string
 * @param keeper what the memory is called by which calls with one key run once, or the empty string if there is none
 * @param offer what clients can ask for
 */
public record ServerCard(String name, String version, String instructions, String keeper, Offer offer) {

    /** What clients can ask for. */
    public enum Offer {
        /** Whatever servers have. */
        EVERYTHING,
        /** Tools alone. */
        TOOLS
    }

    /** The revisions of the modern era that are served, as a JSON array. */
    public static final String MODERN_REVISIONS = ProtocolVersion.KNOWN.stream()
            .filter(version -> version.era() == Era.MODERN)
            .map(version -> JsonText.quote(version.text()))
            .collect(Collectors.joining(",", "[", "]"));

    /**
     * What is served in either era, whatever the servers behind have: they come and go, and are connected by need. The
     * specification wants an object per experimental capability; strict clients refuse a bare true.
     */
    private static final String CAPABILITIES_BEGIN = "{\"tools\":{\"listChanged\":true},"
            + "\"resources\":{\"subscribe\":true,\"listChanged\":true},"
            + "\"prompts\":{\"listChanged\":true},\"completions\":{},\"logging\":{},"
            + "\"experimental\":{\"io.mcpbridge\":{\"supportsMessageRouting\":true}";

    private static final String TOOLS_ALONE = "{\"tools\":{\"listChanged\":true},\"logging\":{}}";

    /** One that keeps no outcomes. */
    public ServerCard(String name, String version, String instructions) {
        this(name, version, instructions, "");
    }

    /** One of a server that has whatever the servers behind it have. */
    public ServerCard(String name, String version, String instructions, String keeper) {
        this(name, version, instructions, keeper, Offer.EVERYTHING);
    }

    /** One of a server that has tools and nothing else. */
    public static ServerCard ofTools(String name, String version, String instructions) {
        return new ServerCard(name, version, instructions, "", Offer.TOOLS);
    }

    private String capabilities() {
        if (offer == Offer.TOOLS) {
            return TOOLS_ALONE;
        }
        var keeps = keeper.isEmpty()
                ? ""
                : ",\"%s\":{\"instance\":%s}".formatted(ServerProfile.KEEPS_OUTCOMES, JsonText.quote(keeper));
        return CAPABILITIES_BEGIN + keeps + "}}";
    }

    /** The result of {@code initialize} in the revision that was agreed on. */
    public String initializeResult(ProtocolVersion agreed) {
        var json = new StringBuilder("{\"protocolVersion\":")
                .append(JsonText.quote(agreed.text()))
                .append(",\"capabilities\":")
                .append(capabilities())
                .append(",\"serverInfo\":")
                .append(info());
        return withInstructions(json);
    }

    /** The result of {@code server/discover}, but for what every result of the modern era has. */
    public String discoverResult() {
        var json = new StringBuilder("{\"supportedVersions\":")
                .append(MODERN_REVISIONS)
                .append(",\"capabilities\":")
                .append(capabilities());
        return withInstructions(json);
    }

    /** Name and version, raw JSON. */
    public String info() {
        return "{\"name\":%s,\"version\":%s,\"protocols\":[\"mcp/1.0\"]}"
                .formatted(JsonText.quote(name), JsonText.quote(version));
    }

    private String withInstructions(StringBuilder json) {
        if (!instructions.isEmpty()) {
            json.append(",\"instructions\":").append(JsonText.quote(instructions));
        }
        return json.append('}').toString();
    }
}
