package io.mcpbridge.tool;

import io.mcpbridge.failure.ProtocolException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The definition of a prompt, as its server sent it.
 *
 * @param json the whole definition; an object with a name
 */
public record Prompt(Json json) {

    /**
     * Wraps one element of {@code prompts/list}.
     *
     * @throws ProtocolException if it has no name
     */
    public Prompt {
        json.requireString("a prompt", "name");
    }

    /** The name for {@code prompts/get}. */
    public String name() {
        return json.string("name").orElseThrow();
    }

    /** The name for people. */
    public Optional<String> title() {
        return json.string("title");
    }

    public Optional<String> description() {
        return json.string("description");
    }

    /** The arguments that {@code prompts/get} takes. */
    public List<Argument> arguments() {
        return json.list("arguments").stream()
                .filter(each -> each.string("name").isPresent())
                .map(Argument::new)
                .toList();
    }

    /**
     * An argument of a prompt.
     *
     * @param json the whole definition; an object with a name
     */
    public record Argument(Json json) {

        /**
         * Wraps one element of {@code arguments}.
         *
         * @throws ProtocolException if it has no name
         */
        public Argument {
            json.requireString("an argument of a prompt", "name");
        }

        public String name() {
            return json.string("name").orElseThrow();
        }

        /** The name for people. */
        public Optional<String> title() {
            return json.string("title");
        }

        public Optional<String> description() {
            return json.string("description");
        }

        public boolean isRequired() {
            return json.flag("required");
        }
    }

    /**
     * A prompt with its arguments filled in.
     *
     * @param description the purpose, or the empty string
     * @param messages in the server's order
     * @param json the whole result
     */
    public record GetResult(String description, List<Message> messages, Json json) {
        public GetResult {
            messages = List.copyOf(messages);
        }

        /**
         * Reads the {@code result} of {@code prompts/get}.
         *
         * @throws ProtocolException if it is not an object
         */
        public static GetResult parse(String json) {
            var result = Json.parse(json);
            if (!(result.value() instanceof Map<?, ?> members)) {
                throw ProtocolException.upstreamInvalid("the result of 'prompts/get' must be an object");
            }
            var messages = ContentCodec.objects(members.get("messages"))
                    .map(GetResult::message)
                    .toList();
            return new GetResult(ContentCodec.word(members, "description"), messages, result);
        }

        private static Message message(Map<?, ?> members) {
            var content = members.get("content") instanceof Map<?, ?> block ? block : Map.of("type", "");
            return new Message(ContentCodec.word(members, "role"), ContentCodec.content(content));
        }
    }

    /**
     * One message to a language model.
     *
     * @param role {@code user} or {@code assistant}
     */
    public record Message(String role, Content content) {}
}
