package io.mcpbridge.golden;

import com.fasterxml.jackson.databind.JsonNode;
import io.mcpbridge.golden.GoldenConversationsTest.Conversation;
import java.time.Duration;
import java.util.Map;

/** Calls with server requests, within an era and between eras. */
final class AskingConversations {
    private static final String ELICITATION = "{\"elicitation\":{}}";
    private static final String FORM =
            "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"who\":{\"type\":\"string\"}}}}";
    private static final String ACCEPTED = "{\"action\":\"accept\",\"content\":{\"who\":\"Bob\"}}";
    private static final String NEEDED =
            "{\"resultType\":\"input_required\",\"inputRequests\":{\"who\":{\"method\":\"elicitation/create\",\"params\":"
                    + FORM + "}},\"requestState\":\"st\\u0061te\"}";
    private static final String BOOK = "\"name\":\"tools__book\",\"arguments\":{\"text\":\"hi\"},";

    /** For how long a round of questions stays open after the answer of its ping. */
    private static final Duration MOMENT = Duration.ofMillis(20);

    private AskingConversations() {}

    static void addTo(Map<String, Conversation> all) {
        addWithinAnEra(all);
        addBetweenEras(all);
    }

    private static void addWithinAnEra(Map<String, Conversation> all) {
        all.put("question-legacy-unix-legacy-http", bench -> {
            var tools = bench.http("tools", Playbook.legacy());
            bench.start();
            var client = bench.unixClient("alice").initialize(ELICITATION).call("1", "tools__book", "");
            var call = tools.take("tools/call");
            call.event(Json.request("\"q1\"", "elicitation/create", FORM));
            client.send(Json.result(client.receive().get("id").toString(), ACCEPTED));
            tools.takeAnswer("\"q1\"");
            call.text("booked");
            client.receive();
        });
        all.put("question-modern-http-modern-http", bench -> {
            var tools = bench.http("tools", Playbook.modern());
            bench.start();
            var client = bench.httpClient("alice");
            var first = client.modern("1", "tools/call", "tools__book", BOOK, ELICITATION, "");
            tools.take("tools/call").result(NEEDED);
            var asked = first.body();
            var second = client.modern("2", "tools/call", "tools__book", BOOK + answers(asked, "who"), ELICITATION, "");
            tools.take("tools/call").modernText("booked");
            second.body();
        });
    }

    private static void addBetweenEras(Map<String, Conversation> all) {
        all.put("suspended-modern-http-legacy-stdio", bench -> {
            var tools = bench.child("tools", Playbook.legacy());
            bench.start();
            var client = bench.httpClient("alice");
            var first = client.modern("1", "tools/call", "tools__book", BOOK, ELICITATION, "");
            var call = tools.take("tools/call");
            call.event(Json.request("\"q1\"", "elicitation/create", FORM));
            bench.pass(MOMENT);
            var asked = first.body();
            var second =
                    client.modern("2", "tools/call", "tools__book", BOOK + answers(asked, "input-1"), ELICITATION, "");
            tools.takeAnswer("\"q1\"");
            call.text("booked");
            second.body();
        });
        all.put("suspended-modern-unix-legacy-http", bench -> {
            var tools = bench.http("tools", Playbook.legacy());
            bench.start();
            var client = bench.unixClient("alice").modern("1", "tools/call", BOOK, ELICITATION, "");
            var call = tools.take("tools/call");
            call.event(Json.request("\"q1\"", "elicitation/create", FORM));
            bench.pass(MOMENT);
            var asked = client.receive();
            client.modern("2", "tools/call", BOOK + answers(asked, "input-1"), ELICITATION, "");
            tools.takeAnswer("\"q1\"");
            call.text("booked");
            client.receive();
            client.modern("3", "tools/call", BOOK + answers(asked, "input-1"), ELICITATION, "");
            client.receive();
        });
        all.put("suspended-expired-modern-http-legacy-unix", bench -> {
            var tools = bench.unix("tools", Playbook.legacy());
            bench.start();
            var client = bench.httpClient("alice");
            var first = client.modern("1", "tools/call", "tools__book", BOOK, ELICITATION, "");
            tools.take("tools/call").event(Json.request("\"q1\"", "elicitation/create", FORM));
            bench.pass(MOMENT);
            var asked = first.body();
            bench.pass(Duration.ofMinutes(10));
            tools.take("notifications/cancelled");
            client.modern("2", "tools/call", "tools__book", BOOK + answers(asked, "input-1"), ELICITATION, "")
                    .body();
        });
        all.put("suspended-legacy-unix-modern-http", bench -> {
            var tools = bench.http("tools", Playbook.modern());
            bench.start();
            var client = bench.unixClient("alice").initialize(ELICITATION).call("1", "tools__book", "");
            tools.take("tools/call").result(NEEDED);
            client.send(Json.result(client.receive().get("id").toString(), ACCEPTED));
            tools.take("tools/call").modernText("booked");
            client.receive();
        });
        all.put("suspended-legacy-http-modern-stdio", bench -> {
            var tools = bench.child("tools", Playbook.modern());
            bench.start();
            var client = bench.httpClient("alice").initialize(ELICITATION);
            var call = client.call("1", "tools__book", "");
            tools.take("tools/call").result(NEEDED);
            var question = call.event();
            while (!question.has("method")) {
                question = call.event();
            }
            client.legacy(Json.result(question.get("id").toString(), "{\"action\":\"decline\"}"))
                    .body();
            tools.take("tools/call").result("{\"resultType\":\"complete\",\"content\":[],\"isError\":true}");
            call.body();
        });
    }

    private static String answers(JsonNode asked, String key) {
        return "\"inputResponses\":{\"%s\":%s},\"requestState\":%s,"
                .formatted(key, ACCEPTED, asked.at("/result/requestState"));
    }
}
