package io.mcpbridge.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.call.LogLevel;
import io.mcpbridge.failure.ProtocolException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The types that read one JSON object of a server: an optional part that is missing or of another type is absent. */
class TypedViewsTest {

    @Test
    void promptIsRead() {
        var prompt = new Prompt(Json.parse("{\"name\":\"n\",\"title\":\"t\",\"description\":\"d\",\"arguments\":"
                + "[{\"name\":\"a\",\"title\":\"A\",\"description\":\"B\",\"required\":true},{\"name\":\"b\"}]}"));

        assertThat(prompt.name()).isEqualTo("n");
        assertThat(prompt.title()).hasValue("t");
        assertThat(prompt.description()).hasValue("d");
        assertThat(prompt.arguments()).extracting(Prompt.Argument::name).containsExactly("a", "b");
        assertThat(prompt.arguments()).extracting(Prompt.Argument::isRequired).containsExactly(true, false);
        assertThat(prompt.arguments().get(0).title()).hasValue("A");
        assertThat(prompt.arguments().get(0).description()).hasValue("B");
    }

    @Test
    void malformedPartsOfAPromptAreAbsent() {
        var prompt = new Prompt(
                Json.parse(
                        "{\"name\":\"n\",\"title\":1,\"description\":null,\"arguments\":[{\"name\":2},7,{\"name\":\"b\",\"required\":1}]}"));

        assertThat(prompt.title()).isEmpty();
        assertThat(prompt.description()).isEmpty();
        assertThat(prompt.arguments()).extracting(Prompt.Argument::name).containsExactly("b");
        assertThat(prompt.arguments().get(0).isRequired()).isFalse();
        assertThat(new Prompt(Json.parse("{\"name\":\"n\",\"arguments\":{}}")).arguments())
                .isEmpty();
    }

    @ParameterizedTest(name = "{0} is neither a prompt nor a resource")
    @ValueSource(strings = {"{}", "[]", "{\"name\":1,\"uri\":1,\"uriTemplate\":null}"})
    void definitionRequiresItsKey(String json) {
        var odd = Json.parse(json);

        assertThatThrownBy(() -> new Prompt(odd))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("a prompt needs a 'name' that is a text, but has ");
        assertThatThrownBy(() -> new Resource(odd)).hasMessageContaining("a resource needs a 'uri'");
        assertThatThrownBy(() -> new Resource.Template(odd))
                .hasMessageContaining("a resource template needs a 'uriTemplate'");
    }

    @Test
    void malformedPartsOfAResourceAreAbsent() {
        var resource = new Resource(Json.parse(
                "{\"uri\":\"u\",\"name\":1,\"title\":[],\"description\":{},\"mimeType\":null,\"size\":\"3\"}"));
        var template = new Resource.Template(Json.parse("{\"uriTemplate\":\"t\",\"mimeType\":0}"));

        assertThat(resource.name()).isEmpty();
        assertThat(resource.title()).isEmpty();
        assertThat(resource.description()).isEmpty();
        assertThat(resource.mimeType()).isEmpty();
        assertThat(resource.size()).isEmpty();
        assertThat(new Resource(Json.parse("{\"uri\":\"u\",\"size\":1.5}")).size())
                .isEmpty();
        assertThat(template.name()).isEmpty();
        assertThat(template.title()).isEmpty();
        assertThat(template.mimeType()).isEmpty();
    }

    @Test
    void completionIsRead() {
        var result = CompletionResult.parse(
                "{\"completion\":{\"values\":[\"java\",\"julia\"],\"total\":9,\"hasMore\":true},\"more\":1}");

        assertThat(result.values()).containsExactly("java", "julia");
        assertThat(result.total()).hasValue(9);
        assertThat(result.hasMore()).isTrue();
        assertThat(result.json().member("more")).hasValue(Json.of(1));
    }

    @ParameterizedTest(name = "{0} proposes nothing")
    @ValueSource(
            strings = {
                "{}",
                "{\"completion\":null}",
                "{\"completion\":[]}",
                "{\"completion\":{\"values\":{},\"total\":\"9\",\"hasMore\":\"true\"}}",
                "{\"completion\":{\"values\":[1,null,{}],\"total\":1e400,\"hasMore\":1}}"
            })
    void malformedPartsOfACompletionAreAbsent(String json) {
        var result = CompletionResult.parse(json);

        assertThat(result.values()).isEmpty();
        assertThat(result.total()).isEmpty();
        assertThat(result.hasMore()).isFalse();
    }

    @Test
    void completionMustBeAnObject() {
        assertThatThrownBy(() -> CompletionResult.parse("[]"))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("the result of 'completion/complete' must be an object");
    }

    @Test
    void referencesHaveTheFormOfTheProtocol() {
        assertThat(CompletionResult.Reference.toPrompt("p").json().asMap())
                .isEqualTo(Map.of("type", "ref/prompt", "name", "p"));
        assertThat(CompletionResult.Reference.toResourceTemplate("t").json().asMap())
                .isEqualTo(Map.of("type", "ref/resource", "uri", "t"));
    }

    @Test
    void progressIsRead() {
        var progress = new Progress(Json.parse("{\"progressToken\":0,\"progress\":1.5,\"total\":4,\"message\":\"m\"}"));

        assertThat(progress.progress()).isEqualTo(1.5);
        assertThat(progress.total()).hasValue(4);
        assertThat(progress.message()).hasValue("m");
    }

    @ParameterizedTest(name = "{0} reports nothing")
    @ValueSource(strings = {"{}", "[]", "{\"progress\":\"1\",\"total\":null,\"message\":{}}", "{\"progress\":true}"})
    void malformedPartsOfAProgressAreAbsent(String params) {
        var progress = new Progress(Json.parse(params));

        assertThat(progress.progress()).isZero();
        assertThat(progress.total()).isEmpty();
        assertThat(progress.message()).isEmpty();
    }

    @Test
    void logMessageIsRead() {
        var message = new LogMessage(Json.parse("{\"level\":\"error\",\"logger\":\"l\",\"data\":{\"a\":1}}"));

        assertThat(message.level()).hasValue(LogLevel.ERROR);
        assertThat(message.logger()).hasValue("l");
        assertThat(message.data()).hasValue(Json.parse("{\"a\":1}"));
    }

    @ParameterizedTest(name = "{0} says nothing")
    @ValueSource(strings = {"{}", "[]", "{\"level\":\"loud\",\"logger\":1,\"data\":null}", "{\"level\":4}"})
    void malformedPartsOfALogMessageAreAbsent(String params) {
        var message = new LogMessage(Json.parse(params));

        assertThat(message.level()).isEmpty();
        assertThat(message.logger()).isEmpty();
        assertThat(message.data()).isEmpty();
    }

    @Test
    void contentIsReadAndWritten() {
        var blocks = Json.parse("[{\"type\":\"text\",\"text\":\"a\"},7,"
                + "{\"type\":\"image\",\"data\":\"AA==\",\"mimeType\":\"image/png\"},{\"type\":\"new\",\"x\":1}]");

        var contents = Content.listFrom(blocks);

        assertThat(contents)
                .isEqualTo(List.of(
                        new Content.Text("a"),
                        new Content.Image("AA==", "image/png"),
                        new Content.Other("new", Map.of("type", "new", "x", 1L))));
        assertThat(contents.stream().map(content -> content.json().text()))
                .containsExactly(
                        "{\"type\":\"text\",\"text\":\"a\"}",
                        "{\"type\":\"image\",\"data\":\"AA==\",\"mimeType\":\"image/png\"}",
                        "{\"type\":\"new\",\"x\":1}");
        assertThat(Content.listFrom(Json.parse("{\"type\":\"text\",\"text\":\"a\"}")))
                .hasSize(1);
        assertThat(Content.listFrom(Json.parse("\"a\""))).isEmpty();
    }
}
