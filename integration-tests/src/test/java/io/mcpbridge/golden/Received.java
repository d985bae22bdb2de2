package io.mcpbridge.golden;

import com.fasterxml.jackson.databind.JsonNode;

/** A message that a scripted server received, and the way back. */
record Received(JsonNode message, Way way) {

    /** How a server speaks to the bridge in reply to one message. */
    interface Way {

        /** Sends a message that is not the last one. */
        void event(String json);

        /** Sends the last message. */
        void last(String json);

        /** Ends the connection. */
        void cut();
    }

    String id() {
        return message.get("id").toString();
    }

    String method() {
        return message.path("method").asText();
    }

    /** The progress token as it was sent. */
    String progressToken() {
        return message.at("/params/_meta/progressToken").toString();
    }

    void result(String result) {
        way.last(Json.result(id(), result));
    }

    void text(String text) {
        result("{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}".formatted(text));
    }

    /** The same as servers of the modern era say it. */
    void modernText(String text) {
        result("{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}".formatted(text));
    }

    void error(String error) {
        way.last(Json.error(id(), error));
    }

    void event(String json) {
        way.event(json);
    }

    void cut() {
        way.cut();
    }
}
