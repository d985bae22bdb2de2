package io.mcpbridge.agents;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the requests of one API and reads its responses. Pure; JSON is made of plain Java values. */
interface MessageFormat {

    /** The member {@code tools} of a request. */
    Object tools(List<ToolDeclaration> tools);

    /** The first item of a conversation. */
    Object prompt(String text);

    /**
     * The body of a request.
     *
     * @param conversation the items so far
     * @param maxTokens the longest response, for an API that wants a number
     */
    Map<String, Object> request(String model, List<Object> conversation, int maxTokens);

    /**
     * Reads a response.
     *
     * @throws ProtocolException if it has no message of the model
     */
    ModelTurn read(Json response);

    /** The items that follow the items of a turn: the results of its calls, in their order. */
    List<Object> results(List<ToolAnswer> answers);

    /**
     * A tool as a model sees it.
     *
     * @param parameters the schema of the arguments
     */
    record ToolDeclaration(String name, String description, Map<String, Object> parameters) {}

    /**
     * A response of a model.
     *
     * @param text its words; empty if it only calls tools
     * @param calls none in a response that is cut off, since their arguments may be incomplete
     * @param items what the next request repeats of it
     * @param cutOff why the API ended the response before the model did, in its own word; empty if it did not
     */
    record ModelTurn(String text, List<ToolUse> calls, List<Object> items, String cutOff) {
        public ModelTurn {
            calls = cutOff.isEmpty() ? calls : List.of();
        }
    }

    /**
     * A tool call as the model wrote it.
     *
     * @param id pairs it with its result; empty if the API has none
     * @param arguments a JSON text; empty if there are none
     */
    record ToolUse(String id, String name, String arguments) {}

    /**
     * What a model reads of the outcome of a call.
     *
     * @param tool {@code server.tool}, or the name that the model wrote if there is no such tool
     * @param content texts and images; not empty
     */
    record ToolAnswer(ToolUse use, String tool, List<Content> content, boolean isError) {

        /** The texts, joined by line ends. */
        String text() {
            return blocks(Content.Text.class).map(Content.Text::text).collect(Collectors.joining("\n"));
        }

        List<Content.Image> images() {
            return blocks(Content.Image.class).toList();
        }

        private <C extends Content> Stream<C> blocks(Class<C> type) {
            return content.stream().filter(type::isInstance).map(type::cast);
        }

        AgentResult.Call call() {
            return new AgentResult.Call(tool, use.arguments(), text(), isError);
        }
    }

    /** An object of keys and values in turn. */
    static Map<String, Object> object(Object... keysAndValues) {
        var members = new LinkedHashMap<String, Object>();
        for (int at = 0; at < keysAndValues.length; at += 2) {
            members.put((String) keysAndValues[at], keysAndValues[at + 1]);
        }
        return members;
    }

    /** The reason for which a response ended, unless it is one of those of a complete response; else the empty string. */
    static String cutOff(String reason, String... complete) {
        return List.of(complete).contains(reason) ? "" : reason;
    }

    /** A member that is a text, else the empty string. */
    static String text(Json object, String name) {
        return object.member(name).flatMap(Json::asString).orElse("");
    }

    static List<Json> list(Json object, String name) {
        return object.member(name).map(Json::elements).orElse(List.of());
    }

    /** An image as a URL that contains it. */
    static String dataUrl(Content.Image image) {
        return "data:%s;base64,%s".formatted(image.mimeType(), image.data());
    }

    /** The failure to find a message of the model. */
    static ProtocolException lacks(String member, Json response) {
        return ProtocolException.upstreamInvalid(
                "the response of the model has no '%s': %s; check the model and the base URL of its provider"
                        .formatted(member, VisibleText.beginning(response.text(), 200)));
    }
}
