package io.mcpbridge.golden;

import io.mcpbridge.golden.GoldenConversationsTest.Conversation;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Lists of several servers, and what clients learn when they change. */
final class ListConversations {
    private static final String MORE =
            Playbook.tool("echo", Playbook.READ_ONLY) + "," + Playbook.tool("sing", Playbook.READ_ONLY);
    private static final List<String> LISTS =
            List.of("tools/list", "prompts/list", "resources/list", "resources/templates/list");

    /** For how long changes are gathered before clients learn of them. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private ListConversations() {}

    static void addTo(Map<String, Conversation> all) {
        addLists(all);
        addChanges(all);
    }

    private static void addLists(Map<String, Conversation> all) {
        all.put("lists-legacy-unix-both-eras", bench -> {
            bench.child("old", Playbook.legacy());
            bench.http("new", Playbook.modern());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}");
            for (int i = 0; i < LISTS.size(); i++) {
                client.request(Integer.toString(i + 1), LISTS.get(i), "{}").receive();
            }
        });
        all.put("lists-modern-http-both-eras", bench -> {
            bench.unix("old", Playbook.legacy());
            bench.http("new", Playbook.modern());
            bench.start();
            var client = bench.httpClient("alice");
            for (int i = 0; i < LISTS.size(); i++) {
                client.modern(Integer.toString(i + 1), LISTS.get(i), "", "", "").body();
            }
        });
    }

    private static void addChanges(Map<String, Conversation> all) {
        all.put("list-changed-legacy-unix-legacy-stdio", bench -> {
            var tools = bench.child("tools", Playbook.legacy());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}").call("1", "tools__echo", "");
            var call = tools.take("tools/call");
            call.text("hello");
            client.receive();
            tools.playbook.tools(MORE);
            call.event(Json.notification("notifications/tools/list_changed", ""));
            bench.pass(PAUSE);
            client.receive();
            client.request("2", "tools/list", "{}").receive();
        });
        all.put("list-changed-modern-http-modern-unix", bench -> {
            var tools = bench.unix("tools", Playbook.modern());
            bench.start();
            var client = bench.httpClient("alice");
            var listening = client.modern(
                    "1", "subscriptions/listen", "", "\"notifications\":{\"toolsListChanged\":true},", "");
            listening.event();
            client.modern("2", "tools/list", "", "", "").body();
            var stream = tools.take("subscriptions/listen");
            var id = "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":" + stream.id() + "}";
            stream.event(Json.notification(
                    "notifications/subscriptions/acknowledged",
                    "{" + id + ",\"notifications\":{\"toolsListChanged\":true}}"));
            tools.playbook.tools(MORE);
            stream.event(Json.notification("notifications/tools/list_changed", "{" + id + "}"));
            bench.pass(PAUSE);
            listening.event();
            client.modern("3", "tools/list", "", "", "").body();
        });
    }
}
