package io.mcpbridge.golden;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What a scripted server answers at once, in its era; other requests wait for the script. Any thread. */
final class Playbook {
    static final String READ_ONLY = "\"readOnlyHint\":true,\"openWorldHint\":false";
    static final String ONCE = "\"destructiveHint\":true,\"idempotentHint\":false,\"openWorldHint\":false";

    private static final String CAPABILITIES =
            "{\"tools\":{\"listChanged\":true},\"prompts\":{},\"resources\":{},\"completions\":{},\"logging\":{}}";

    private final boolean isModern;
    private final Map<String, String> answers = new ConcurrentHashMap<>();

    private Playbook(boolean isModern) {
        this.isModern = isModern;
    }

    static Playbook legacy() {
        return new Playbook(false)
                .refusing("server/discover", "\"code\":-32601,\"message\":\"Method not found\"")
                .answering(
                        "initialize",
                        "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":" + CAPABILITIES
                                + ",\"serverInfo\":{\"name\":\"legacy\",\"version\":\"1.0\"},\"instructions\":\"Be kind.\"}")
                .answering("logging/setLevel", "{}")
                .answering("ping", "{}")
                .listing();
    }

    static Playbook modern() {
        return new Playbook(true)
                .answering(
                        "server/discover",
                        "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":"
                                + CAPABILITIES
                                + ",\"serverInfo\":{\"name\":\"modern\",\"version\":\"2.0\"},\"instructions\":\"Be kind.\","
                                + "\"ttlMs\":60000,\"cacheScope\":\"private\"}")
                .listing();
    }

    private Playbook listing() {
        return tools(tool("echo", READ_ONLY) + "," + tool("book", ONCE))
                .list("prompts/list", "\"prompts\":[{\"name\":\"greet\",\"arguments\":[{\"name\":\"who\"}]}]")
                .list("resources/list", "\"resources\":[{\"uri\":\"memo:one\",\"name\":\"one\"}]")
                .list("resources/templates/list", "\"resourceTemplates\":[]");
    }

    static String tool(String name, String hints) {
        return "{\"name\":\"%s\",\"description\":\"The tool %s.\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{%s}}"
                .formatted(name, name, hints);
    }

    /** Lists these definitions from now on. */
    Playbook tools(String definitions) {
        return list("tools/list", "\"tools\":[" + definitions + "]");
    }

    private Playbook list(String method, String members) {
        return answering(
                method,
                isModern
                        ? "{\"resultType\":\"complete\"," + members + ",\"ttlMs\":60000,\"cacheScope\":\"private\"}"
                        : "{" + members + "}");
    }

    Playbook answering(String method, String result) {
        answers.put(method, "\"result\":" + result);
        return this;
    }

    Playbook refusing(String method, String error) {
        answers.put(method, "\"error\":{" + error + "}");
        return this;
    }

    /** Leaves a method to the script. */
    Playbook leaving(String method) {
        answers.remove(method);
        return this;
    }

    Optional<String> answer(JsonNode message) {
        var answer = message.has("id") ? answers.get(message.path("method").asText()) : null;
        return Optional.ofNullable(answer)
                .map(members -> "{\"jsonrpc\":\"2.0\",\"id\":%s,%s}".formatted(message.get("id"), members));
    }

    boolean isModern() {
        return isModern;
    }
}
