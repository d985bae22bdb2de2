package io.mcpbridge.golden;

import io.mcpbridge.golden.GoldenConversationsTest.Conversation;
import java.time.Duration;
import java.util.Map;

/** Calls that fail because of their server or a cancellation by their client. */
final class FailingConversations {
    private static final String CANCEL =
            Json.notification("notifications/cancelled", "{\"requestId\":1,\"reason\":\"changed my mind\"}");

    private FailingConversations() {}

    static void addTo(Map<String, Conversation> all) {
        addErrors(all);
        addTimeouts(all);
        addCrashes(all);
        addCancellations(all);
    }

    private static void addErrors(Map<String, Conversation> all) {
        all.put("tool-error-legacy-unix-modern-http", bench -> {
            var tools = bench.http("tools", Playbook.modern());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}").call("1", "tools__book", "");
            tools.take("tools/call")
                    .result(
                            "{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"sold out\"}],\"isError\":true}");
            client.receive();
        });
        all.put("tool-error-modern-http-legacy-stdio", bench -> {
            var tools = bench.child("tools", Playbook.legacy());
            bench.start();
            var call = bench.httpClient("alice").modernCall("1", "tools__book", "");
            tools.take("tools/call").result("{\"content\":[],\"isError\":true}");
            call.body();
        });
        all.put("error-legacy-unix-legacy-unix", bench -> {
            var tools = bench.unix("tools", Playbook.legacy());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}").call("1", "tools__book", "");
            tools.take("tools/call").error("\"code\":-32050,\"message\":\"sold out\",\"data\":{\"seats\":0}");
            client.receive();
        });
        all.put("error-modern-http-modern-http", bench -> {
            var tools = bench.http("tools", Playbook.modern());
            bench.start();
            var call = bench.httpClient("alice").modernCall("1", "tools__book", "");
            tools.take("tools/call").error("\"code\":-32602,\"message\":\"no such seat\"");
            call.body();
        });
        all.put("missing-resource-modern-http-legacy-unix", bench -> {
            var tools = bench.unix("tools", Playbook.legacy());
            bench.start();
            var read = bench.httpClient("alice").modern("1", "resources/read", "memo:two", "\"uri\":\"memo:two\",", "");
            tools.take("resources/read").error("\"code\":-32002,\"message\":\"Resource not found\"");
            read.body();
        });
        all.put("server-error-status-legacy-http-modern-http", bench -> {
            var tools = bench.http("tools", Playbook.modern());
            bench.start();
            var call = bench.httpClient("alice").initialize("{}").call("1", "tools__book", "");
            tools.status(tools.take("tools/call"), 502, "Content-Type: text/plain\n", "bad gateway");
            call.body();
        });
    }

    private static void addTimeouts(Map<String, Conversation> all) {
        all.put("timeout-legacy-unix-legacy-stdio", bench -> {
            var tools = bench.child("tools", Playbook.legacy(), "\"timeout\": \"7s\"");
            bench.start();
            var client = bench.unixClient("alice").initialize("{}").call("1", "tools__book", "");
            tools.take("tools/call");
            bench.pass(Duration.ofSeconds(7));
            client.receive();
            tools.take("notifications/cancelled");
        });
        all.put("timeout-modern-http-modern-http", bench -> {
            var tools = bench.http("tools", Playbook.modern(), "\"timeout\": \"7s\"");
            bench.start();
            var call = bench.httpClient("alice").modernCall("1", "tools__book", "");
            var asked = tools.take("tools/call");
            bench.pass(Duration.ofSeconds(7));
            call.body();
            tools.awaitDisconnect(asked);
        });
    }

    private static void addCrashes(Map<String, Conversation> all) {
        all.put("crash-legacy-unix-legacy-stdio", bench -> {
            var tools = bench.child("tools", Playbook.legacy());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}").call("1", "tools__book", "");
            tools.exit(tools.take("tools/call"), 7, "out of paper");
            client.receive();
        });
        all.put("crash-modern-http-modern-stdio", bench -> {
            var tools = bench.child("tools", Playbook.modern());
            bench.start();
            var call = bench.httpClient("alice").modernCall("1", "tools__book", "");
            tools.exit(tools.take("tools/call"), 7, "out of paper");
            call.body();
        });
        all.put("lost-connection-legacy-http-legacy-unix", bench -> {
            var tools = bench.unix("tools", Playbook.legacy());
            bench.start();
            var call = bench.httpClient("alice").initialize("{}").call("1", "tools__book", "");
            tools.take("tools/call").cut();
            call.body();
        });
    }

    private static void addCancellations(Map<String, Conversation> all) {
        all.put("cancel-legacy-unix-legacy-http", bench -> {
            var tools = bench.http("tools", Playbook.legacy());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}").call("1", "tools__book", "");
            tools.take("tools/call");
            client.send(CANCEL);
            tools.take("notifications/cancelled");
        });
        all.put("cancel-legacy-http-modern-unix", bench -> {
            var tools = bench.unix("tools", Playbook.modern());
            bench.start();
            var client = bench.httpClient("alice").initialize("{}");
            var call = client.call("1", "tools__book", "");
            tools.take("tools/call");
            client.legacy(CANCEL).body();
            tools.take("notifications/cancelled");
            call.body();
        });
        all.put("cancel-modern-http-legacy-stdio", bench -> {
            var tools = bench.child("tools", Playbook.legacy());
            bench.start();
            var call = bench.httpClient("alice").modernCall("1", "tools__book", "");
            tools.take("tools/call");
            call.hangUp();
            tools.take("notifications/cancelled");
        });
        all.put("cancel-modern-unix-modern-http", bench -> {
            var tools = bench.http("tools", Playbook.modern());
            bench.start();
            var client = bench.unixClient("alice").modernCall("1", "tools__book", "");
            var asked = tools.take("tools/call");
            client.send(CANCEL);
            tools.awaitDisconnect(asked);
        });
    }
}
