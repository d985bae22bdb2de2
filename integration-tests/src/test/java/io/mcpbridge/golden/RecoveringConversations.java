package io.mcpbridge.golden;

import io.mcpbridge.golden.GoldenConversationsTest.Conversation;
import java.time.Duration;
import java.util.Map;

/** Calls that are sent again, under the daemon's own retry policy. */
final class RecoveringConversations {
    private static final String UNSUPPORTED =
            "\"code\":-32022,\"message\":\"Unsupported protocol version\",\"data\":{\"supported\":[\"2026-07-28\"],\"requested\":\"2026-07-28\"}";

    // No other alarm is due after that.
    private static final String DELAY = "\"retry-delay\": \"7s\"";
    private static final Duration HALF_DELAY = Duration.ofMillis(3_500);

    // Prompts if a session is reopened, since tools are then listed again, concurrently with the call.
    private static final String GREETING = "\"name\":\"tools__greet\",\"arguments\":{\"who\":\"Bob\"},";
    private static final String GREET = "{\"name\":\"tools__greet\",\"arguments\":{\"who\":\"Bob\"}}";

    private RecoveringConversations() {}

    static void addTo(Map<String, Conversation> all) {
        addRetries(all);
        addCredentials(all);
        addSessions(all);
        addEras(all);
    }

    private static void addRetries(Map<String, Conversation> all) {
        all.put("retry-rejected-legacy-unix-modern-http", bench -> {
            var tools = bench.http("tools", Playbook.modern());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}").call("1", "tools__book", "");
            tools.status(tools.take("tools/call"), 429, "Retry-After: 7\n", "");
            bench.pass(Duration.ofSeconds(7));
            tools.take("tools/call").modernText("booked");
            client.receive();
        });
        all.put("retry-rejected-modern-http-legacy-http", bench -> {
            var tools = bench.http("tools", Playbook.legacy());
            bench.start();
            var call = bench.httpClient("alice").modernCall("1", "tools__book", "");
            tools.status(tools.take("tools/call"), 429, "Retry-After: 8\n", "");
            bench.pass(Duration.ofSeconds(8));
            tools.take("tools/call").text("booked");
            call.body();
        });
        all.put("retry-read-legacy-http-legacy-unix", bench -> {
            var tools = bench.unix("tools", Playbook.legacy(), DELAY);
            bench.start();
            var call = bench.httpClient("alice").initialize("{}").legacy(Json.request("1", "prompts/get", GREET));
            tools.take("prompts/get").cut();
            bench.awaitLog("disconnected from server 'tools'");
            bench.pass(HALF_DELAY);
            tools.take("prompts/get").result("{\"messages\":[]}");
            call.body();
        });
        all.put("retry-read-only-modern-http-modern-http", bench -> {
            var tools = bench.http("tools", Playbook.modern(), DELAY, "\"trusted\": true");
            bench.start();
            var call = bench.httpClient("alice").modernCall("1", "tools__echo", "");
            tools.status(tools.take("tools/call"), 503, "", "");
            bench.pass(HALF_DELAY);
            tools.take("tools/call").modernText("hello");
            call.body();
        });
    }

    private static void addCredentials(Map<String, Conversation> all) {
        all.put("unauthorized-renewed-legacy-unix-legacy-http", bench -> {
            var guarded = bench.http("guarded", Playbook.legacy());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}").call("1", "guarded__book", "");
            guarded.status(guarded.take("tools/call"), 401, "WWW-Authenticate: Bearer error=\"invalid_token\"\n", "");
            guarded.take("tools/call").text("booked");
            client.receive();
        });
        all.put("unauthorized-renewed-modern-http-modern-http", bench -> {
            var guarded = bench.http("guarded", Playbook.modern());
            bench.start();
            var call = bench.httpClient("alice").modernCall("1", "guarded__book", "");
            guarded.status(guarded.take("tools/call"), 401, "WWW-Authenticate: Bearer error=\"invalid_token\"\n", "");
            guarded.take("tools/call").modernText("booked");
            call.body();
        });
        all.put("unauthorized-modern-http-legacy-http", bench -> {
            var tools = bench.http("tools", Playbook.legacy());
            bench.start();
            var call = bench.httpClient("alice").modernCall("1", "tools__book", "");
            tools.status(tools.take("tools/call"), 401, "WWW-Authenticate: Bearer\n", "");
            call.body();
        });
    }

    private static void addSessions(Map<String, Conversation> all) {
        all.put("lost-session-legacy-unix-legacy-http", bench -> {
            var tools = bench.http("tools", Playbook.legacy());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}").request("1", "prompts/get", GREET);
            tools.status(tools.take("prompts/get"), 404, "", "");
            tools.take("prompts/get").result("{\"messages\":[]}");
            client.receive();
        });
        all.put("lost-session-modern-http-legacy-http", bench -> {
            var tools = bench.http("tools", Playbook.legacy(), DELAY);
            bench.start();
            var call = bench.httpClient("alice").modern("1", "prompts/get", "tools__greet", GREETING, "");
            tools.status(tools.take("prompts/get"), 404, "", "");
            tools.status(tools.take("prompts/get"), 404, "", "");
            bench.pass(HALF_DELAY);
            tools.take("prompts/get").result("{\"messages\":[]}");
            call.body();
        });
    }

    private static void addEras(Map<String, Conversation> all) {
        all.put("wrong-era-legacy-unix-modern-http", bench -> {
            var tools = bench.http("tools", Playbook.modern());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}").request("1", "prompts/get", GREET);
            tools.take("prompts/get").error(UNSUPPORTED);
            tools.take("prompts/get").result("{\"resultType\":\"complete\",\"messages\":[]}");
            client.receive();
        });
        all.put("wrong-era-modern-http-modern-unix", bench -> {
            var tools = bench.unix("tools", Playbook.modern());
            bench.start();
            var call = bench.httpClient("alice").modern("1", "prompts/get", "tools__greet", GREETING, "");
            tools.take("prompts/get").error(UNSUPPORTED);
            tools.take("prompts/get").error(UNSUPPORTED);
            call.body();
        });
        all.put("wrong-headers-modern-http-modern-http", bench -> {
            var tools = bench.http("tools", Playbook.modern());
            bench.start();
            var call = bench.httpClient("alice").modernCall("1", "tools__book", "");
            var asked = tools.take("tools/call");
            tools.playbook.tools("{\"name\":\"book\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
                    + "{\"text\":{\"type\":\"string\",\"x-mcp-header\":\"Text\"}}}}");
            tools.status(
                    asked,
                    400,
                    "Content-Type: application/json\n",
                    Json.error(asked.id(), "\"code\":-32020,\"message\":\"Mcp-Param-Text is missing\""));
            tools.take("tools/call").modernText("booked");
            call.body();
        });
        all.put("wrong-headers-legacy-unix-modern-http", bench -> {
            var tools = bench.http("tools", Playbook.modern());
            bench.start();
            var client = bench.unixClient("alice").initialize("{}").call("1", "tools__book", "");
            var asked = tools.take("tools/call");
            tools.status(
                    asked,
                    400,
                    "Content-Type: application/json\n",
                    Json.error(asked.id(), "\"code\":-32020,\"message\":\"header mismatch\""));
            tools.take("tools/call").modernText("booked");
            client.receive();
        });
    }
}
