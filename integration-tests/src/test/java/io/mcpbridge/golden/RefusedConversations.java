package io.mcpbridge.golden;

import io.mcpbridge.golden.GoldenConversationsTest.Conversation;
import java.nio.file.Files;
import java.util.Map;

/** Requests that the bridge itself rejects. */
final class RefusedConversations {
    private RefusedConversations() {}

    static void addTo(Map<String, Conversation> all) {
        addDenials(all);
        addMistakes(all);
    }

    private static void addDenials(Map<String, Conversation> all) {
        all.put("denied-by-filter-legacy-unix-legacy-stdio", bench -> {
            bench.child("tools", Playbook.legacy(), "\"tools\": {\"deny\": [\"b*\"]}");
            bench.start();
            var client = bench.unixClient("alice").initialize("{}");
            client.call("1", "tools__book", "").receive();
            client.request("2", "tools/list", "").receive();
        });
        all.put("denied-to-user-modern-http-modern-unix", bench -> {
            bench.unix("tools", Playbook.modern());
            bench.start("\"clients\": {\"alice\": {\"tools\": {\"deny\": [\"*__book\"]}}}");
            bench.httpClient("alice").modernCall("1", "tools__book", "").body();
        });
        all.put("denied-by-quarantine-legacy-http-legacy-http", bench -> {
            bench.http("tools", Playbook.legacy());
            Files.writeString(bench.folder().resolve("mcp.lock"), "{\"lockVersion\":1,\"servers\":{\"tools\":{}}}");
            bench.start("\"catalog\": {\"lock\": \"mcp.lock\", \"mode\": \"enforce\"}");
            bench.httpClient("alice")
                    .initialize("{}")
                    .call("1", "tools__book", "")
                    .body();
        });
        all.put("denied-by-quarantine-modern-unix-modern-http", bench -> {
            bench.http("tools", Playbook.modern());
            Files.writeString(bench.folder().resolve("mcp.lock"), "{\"lockVersion\":1,\"servers\":{\"tools\":{}}}");
            bench.start("\"catalog\": {\"lock\": \"mcp.lock\", \"mode\": \"enforce\"}");
            bench.unixClient("alice").modernCall("1", "tools__book", "").receive();
        });
        all.put("unauthorized-client-http", bench -> {
            bench.http("tools", Playbook.legacy());
            bench.start();
            bench.httpClient("mallory", "a-token-that-is-wrong")
                    .modernCall("1", "tools__book", "")
                    .body();
        });
    }

    private static void addMistakes(Map<String, Conversation> all) {
        all.put("unknown-tool-legacy-unix-legacy-stdio", bench -> {
            var tools = bench.child("tools", Playbook.legacy(), "\"extensions\": [\"no/such\"]");
            bench.start();
            var client = bench.unixClient("alice").initialize("{}");
            client.call("1", "tools__nothing", "").receive();
            client.call("2", "nowhere__echo", "").receive();
            client.request("3", "no/such", "{}");
            tools.take("no/such").error("\"code\":-32601,\"message\":\"never heard of it\"");
            client.receive();
        });
        all.put("unknown-tool-modern-http-modern-http", bench -> {
            bench.http("tools", Playbook.modern());
            bench.start();
            var client = bench.httpClient("alice");
            client.modernCall("1", "tools__nothing", "").body();
            client.modernCall("2", "nowhere__echo", "").body();
        });
        all.put("malformed-legacy-unix", bench -> {
            bench.unix("tools", Playbook.legacy());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}");
            client.send("{\"jsonrpc\":\"2.0\",\"id\":1,").receive();
            client.send("[]").receive();
            client.send("{\"jsonrpc\":\"2.0\",\"id\":2,\"id\":3,\"method\":\"ping\"}")
                    .receive();
            client.send("{\"jsonrpc\":\"1.0\",\"id\":4,\"method\":\"ping\"}").receive();
        });
        all.put("wrong-params-legacy-unix", bench -> {
            bench.unix("tools", Playbook.legacy());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}");
            client.request("5", "tools/call", "{\"arguments\":{}}").receive();
            client.request("6", "tools/call", "[1]").receive();
            client.request("7", "tools/list", "{\"cursor\":\"mine\"}").receive();
        });
        all.put("malformed-modern-http", bench -> {
            bench.http("tools", Playbook.modern());
            bench.start();
            var client = bench.httpClient("alice");
            client.post("", "{\"jsonrpc\":\"2.0\",").body();
            client.post("MCP-Protocol-Version: 2026-07-28\n", Json.request("2", "tools/list", "{}"))
                    .body();
            client.modern("3", "initialize", "", "", "").body();
            client.post("", Json.request("4", "ping", "{}")).body();
        });
        all.put("header-mismatch-modern-http", bench -> {
            bench.http("tools", Playbook.modern());
            bench.start();
            var client = bench.httpClient("alice");
            client.modern("1", "tools/call", "tools__echo", "\"name\":\"tools__book\",", "")
                    .body();
            client.modern("2", "tools/call", "", "\"name\":\"tools__book\",", "")
                    .body();
            client.post(
                            "MCP-Protocol-Version: 2025-11-25\n",
                            Json.request("3", "tools/list", HttpClient.modernParams("", "{}", "")))
                    .body();
        });
    }
}
