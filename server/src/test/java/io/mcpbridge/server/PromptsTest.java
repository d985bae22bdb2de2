package io.mcpbridge.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.Prompt;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Prompts that a program serves. */
@Timeout(60)
class PromptsTest {
    private static final String REVIEW_JSON = "{\"name\":\"review\",\"description\":\"Asks for a review.\","
            + "\"arguments\":[{\"name\":\"code\",\"required\":true},{\"name\":\"tone\"}]}";
    private static final Prompt REVIEW = new Prompt(Json.parse(REVIEW_JSON));

    private static ServeBench bench() {
        var bench = new ServeBench();
        bench.server()
                .registerPrompt(
                        REVIEW,
                        (arguments, caller) -> List.of(new Prompt.Message(
                                "user",
                                new Content.Text(
                                        "Review %s, %s.".formatted(arguments.get("code"), arguments.get("tone"))))));
        return bench;
    }

    @Test
    void promptIsListedAsDefined() throws Exception {
        try (var bench = bench()) {
            var client = bench.modern();

            assertThat(client.ask("server/discover", "")).contains("\"prompts\":{\"listChanged\":true}");
            assertThat(client.ask("prompts/list", "")).contains("\"prompts\":[" + REVIEW_JSON + "]");
            assertThat(bench.legacy().ask("prompts/list", "")).contains("{\"prompts\":[" + REVIEW_JSON + "]}");
        }
    }

    @Test
    void promptIsFilledIn() throws Exception {
        var messages =
                "\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Review x, kindly.\"}}],"
                        + "\"description\":\"Asks for a review.\"";
        try (var bench = bench()) {
            var arguments = "\"name\":\"review\",\"arguments\":{\"code\":\"x\",\"tone\":\"kindly\"}";

            assertThat(bench.legacy().ask("prompts/get", arguments)).contains(messages);
            assertThat(bench.modern().ask("prompts/get", arguments)).contains(messages);
        }
    }

    @Test
    void wrongArgumentsAreRejected() throws Exception {
        try (var bench = bench()) {
            var client = bench.legacy();

            assertThat(client.ask("prompts/get", "\"name\":\"review\""))
                    .contains("-32602", "the arguments of the prompt 'review' are wrong: 'code' is missing");
            assertThat(client.ask("prompts/get", "\"name\":\"review\",\"arguments\":{\"code\":1}"))
                    .contains("-32602", "'code' must be a string but is 1");
            assertThat(client.ask("prompts/get", "\"name\":\"review\",\"arguments\":[]"))
                    .contains("-32602", "not an object");
        }
    }

    @Test
    void unknownPromptIsRejected() throws Exception {
        try (var bench = bench()) {
            var client = bench.legacy();

            assertThat(client.ask("prompts/get", "\"name\":\"none\""))
                    .contains("-32602", "unknown prompt: 'none'; 'prompts/list' names all prompts");
            assertThat(client.ask("prompts/get", "")).contains("-32602", "unknown prompt: ''");
            assertThat(client.ask("resources/list", "")).contains("-32601");
        }
    }

    @Test
    void promptWithoutDescriptionHasNone() throws Exception {
        try (var bench = new ServeBench()) {
            bench.server()
                    .registerPrompt(new Prompt(Json.of(Map.of("name", "plain"))), (arguments, caller) -> List.of());

            assertThat(bench.legacy().ask("prompts/get", "\"name\":\"plain\""))
                    .contains("\"result\":{\"messages\":[]}");
        }
    }

    @Test
    void modeMinimalOffersNoPrompts() throws Exception {
        var bench = new ServeBench();
        bench.options.mode(ServerMode.MINIMAL);
        try (bench) {
            bench.server().registerPrompt(REVIEW, (arguments, caller) -> List.of());

            assertThat(bench.legacy().ask("prompts/list", "")).contains("-32601");
        }
    }

    @Test
    void promptRegisteredLaterIsAnnounced() throws Exception {
        try (var bench = bench()) {
            var client = bench.legacy();

            bench.server()
                    .registerPrompt(new Prompt(Json.of(Map.of("name", "later"))), (arguments, caller) -> List.of());

            assertThat(client.receive()).contains("notifications/prompts/list_changed");
        }
    }

    @Test
    void secondRegistrationOfANameFails() {
        try (var bench = bench()) {
            assertThatThrownBy(() -> bench.server().registerPrompt(REVIEW, (arguments, caller) -> List.of()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("prompt already registered: review");
        }
    }
}
