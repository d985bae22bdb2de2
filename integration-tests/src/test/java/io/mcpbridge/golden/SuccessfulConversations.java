package io.mcpbridge.golden;

import io.mcpbridge.golden.GoldenConversationsTest.Conversation;
import java.util.Map;

/** Requests that succeed, for each pair of eras and over each transport; each name says client, then server. */
final class SuccessfulConversations {
    private static final String META = ",\"progressToken\":\"p\",\"io.modelcontextprotocol/logLevel\":\"info\"";

    private SuccessfulConversations() {}

    static void addTo(Map<String, Conversation> all) {
        addCalls(all);
        addEvents(all);
        addOtherMethods(all);
    }

    private static void addCalls(Map<String, Conversation> all) {
        all.put("success-legacy-unix-legacy-stdio", bench -> {
            var tools = bench.child("tools", Playbook.legacy());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}").call("1", "tools__echo", "");
            tools.take("tools/call").text("hello");
            client.receive();
        });
        all.put("success-legacy-http-legacy-http", bench -> {
            var tools = bench.http("tools", Playbook.legacy());
            bench.start();
            var client = bench.httpClient("alice").initialize("{}");
            var call = client.call("1", "tools__echo", "");
            tools.take("tools/call").text("hello");
            call.body();
            client.end();
        });
        all.put("success-legacy-unix-modern-http", bench -> {
            var tools = bench.http("tools", Playbook.modern());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}").call("1", "tools__echo", "");
            tools.take("tools/call").modernText("hello");
            client.receive();
        });
        all.put("success-legacy-http-modern-stdio", bench -> {
            var tools = bench.child("tools", Playbook.modern());
            bench.start();
            var call = bench.httpClient("alice").initialize("{\"roots\":{}}").call("1", "tools__echo", "");
            tools.take("tools/call").modernText("hello");
            call.body();
        });
        all.put("success-modern-http-modern-http", bench -> {
            var tools = bench.http("tools", Playbook.modern());
            bench.start();
            var call = bench.httpClient("alice").modernCall("1", "tools__echo", "");
            tools.take("tools/call").modernText("hello");
            call.body();
        });
        all.put("success-modern-unix-modern-unix", bench -> {
            var tools = bench.unix("tools", Playbook.modern());
            bench.start();
            var client = bench.unixClient("alice").modernCall("\"a\"", "tools__echo", "");
            tools.take("tools/call").modernText("hello");
            client.receive();
        });
        all.put("success-modern-http-legacy-unix", bench -> {
            var tools = bench.unix("tools", Playbook.legacy());
            bench.start();
            var call = bench.httpClient("alice").modernCall("1", "tools__echo", "");
            tools.take("tools/call").text("hello");
            call.body();
        });
        all.put("success-modern-unix-legacy-stdio", bench -> {
            var tools = bench.child("tools", Playbook.legacy());
            bench.start();
            var client = bench.unixClient("alice").modernCall("\"a\"", "tools__echo", "");
            tools.take("tools/call").text("hello");
            client.receive();
        });
    }

    private static void addEvents(Map<String, Conversation> all) {
        all.put("progress-and-log-legacy-unix-legacy-stdio", bench -> {
            var tools = bench.child("tools", Playbook.legacy());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}");
            client.request("1", "logging/setLevel", "{\"level\":\"info\"}").receive();
            client.call("2", "tools__echo", ",\"_meta\":{\"progressToken\":\"p\"}");
            reportAndEnd(tools.take("tools/call")).text("hello");
            client.receive();
            client.receive();
            client.receive();
            client.receive();
        });
        all.put("progress-and-log-legacy-http-modern-http", bench -> {
            var tools = bench.http("tools", Playbook.modern());
            bench.start();
            var client = bench.httpClient("alice").initialize("{}");
            client.legacy(Json.request("1", "logging/setLevel", "{\"level\":\"info\"}"))
                    .body();
            var call = client.call("2", "tools__echo", ",\"_meta\":{\"progressToken\":7}");
            reportAndEnd(tools.take("tools/call")).modernText("hello");
            call.body();
        });
        all.put("progress-and-log-modern-http-legacy-http", bench -> {
            var tools = bench.http("tools", Playbook.legacy());
            bench.start();
            var call = bench.httpClient("alice").modernCall("1", "tools__echo", META);
            reportAndEnd(tools.take("tools/call")).text("hello");
            call.body();
        });
        all.put("progress-and-log-modern-unix-modern-stdio", bench -> {
            var tools = bench.child("tools", Playbook.modern());
            bench.start();
            var client = bench.unixClient("alice").modernCall("1", "tools__echo", META);
            reportAndEnd(tools.take("tools/call")).modernText("hello");
            client.receive();
            client.receive();
            client.receive();
            client.receive();
        });
    }

    /** Progress that grows, falls and grows, and a log message. */
    private static Received reportAndEnd(Received call) {
        var progress = "{\"progressToken\":%s,\"progress\":%s,\"total\":3,\"message\":\"step\"}";
        call.event(Json.notification("notifications/progress", progress.formatted(call.progressToken(), "1")));
        call.event(Json.notification("notifications/progress", progress.formatted(call.progressToken(), "0.5")));
        call.event(Json.notification(
                "notifications/message", "{\"level\":\"warning\",\"logger\":\"l\",\"data\":{\"a\":1.50}}"));
        call.event(Json.notification("notifications/progress", progress.formatted(call.progressToken(), "2")));
        return call;
    }

    private static void addOtherMethods(Map<String, Conversation> all) {
        all.put("other-methods-legacy-unix-legacy-stdio", bench -> {
            var tools = bench.child("tools", Playbook.legacy());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}");
            client.request("1", "prompts/get", "{\"name\":\"tools__greet\",\"arguments\":{\"who\":\"Bob\"}}");
            tools.take("prompts/get").result("{\"messages\":[]}");
            client.receive();
            client.request("2", "resources/read", "{\"uri\":\"memo:one\"}");
            tools.take("resources/read").result("{\"contents\":[{\"uri\":\"memo:one\",\"text\":\"1\"}]}");
            client.receive();
            client.request(
                    "3",
                    "completion/complete",
                    "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"tools__greet\"},\"argument\":{\"name\":\"who\",\"value\":\"B\"}}");
            tools.take("completion/complete").result("{\"completion\":{\"values\":[\"Bob\"]}}");
            client.receive();
            client.request("4", "ping", "").receive();
        });
        all.put("other-methods-modern-http-modern-http", bench -> {
            var tools = bench.http("tools", Playbook.modern());
            bench.start();
            var client = bench.httpClient("alice");
            client.modern("0", "server/discover", "", "", "").body();
            var prompt = client.modern(
                    "1",
                    "prompts/get",
                    "tools__greet",
                    "\"name\":\"tools__greet\",\"arguments\":{\"who\":\"Bob\"},",
                    "");
            tools.take("prompts/get").result("{\"resultType\":\"complete\",\"messages\":[]}");
            prompt.body();
            var resource = client.modern("2", "resources/read", "memo:one", "\"uri\":\"memo:one\",", "");
            tools.take("resources/read")
                    .result("{\"resultType\":\"complete\",\"contents\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}");
            resource.body();
            var completion = client.modern(
                    "3",
                    "completion/complete",
                    "",
                    "\"ref\":{\"type\":\"ref/resource\",\"uri\":\"memo:one\"},\"argument\":{\"name\":\"n\",\"value\":\"B\"},",
                    "");
            tools.take("completion/complete").result("{\"resultType\":\"complete\",\"completion\":{\"values\":[]}}");
            completion.body();
            client.modern("4", "ping", "", "", "").body();
        });
    }
}
