package io.mcpbridge.agents;

import static io.mcpbridge.agents.ScriptedModel.use;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.tool.Json;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bytes of each API. */
class ModelFormatTest {
    private static final String SCHEMA = "{\"type\":\"object\",\"properties\":{}}";

    /** The request after a round with a text, an image and a failure. */
    private static String request(ModelFormat format) throws InterruptedException {
        var source = new RecordingTools()
                .tool("s", "t")
                .answering(
                        (tool, arguments) -> CompletableFuture.completedFuture(
                                RecordingTools.result(
                                        arguments.isEmpty()
                                                ? "{\"content\":[{\"type\":\"text\",\"text\":\"ok\"}]}"
                                                : "{\"content\":[{\"type\":\"image\",\"data\":\"AA==\",\"mimeType\":\"image/png\"}]}")));
        var model = ScriptedModel.of(format)
                .calls(use("1", "s__t", "{}"), use("2", "s__t", "{\"n\":1}"), use("3", "x", "{}"))
                .says("done");
        var runner = AgentRunner.of(source);
        var unused = runner.execute("Do it", runner.loadTools(List.of("s")), model.provider(), "m");
        return model.requests().get(1).text();
    }

    @Test
    void openAiChat() throws InterruptedException {
        var calls = ScriptedModel.calls(
                ModelFormat.OPENAI,
                List.of(use("1", "s__t", "{}"), use("2", "s__t", "{\"n\":1}"), use("3", "x", "{}")));
        var message = calls.member("choices").orElseThrow().elements().get(0).member("message");

        assertThat(request(ModelFormat.OPENAI)).isEqualTo(folded("""
                {"model":"m","messages":[{"role":"user","content":"Do it"},%s,
                {"role":"tool","tool_call_id":"1","content":"ok"},
                {"role":"tool","tool_call_id":"2","content":"The next message of the user has the images."},
                {"role":"tool","tool_call_id":"3","content":"There is no tool 'x'. The tools are [s__t]."},
                {"role":"user","content":[{"type":"text","text":"The images that the tools returned:"},
                {"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]}],
                "tools":[{"type":"function","function":{"name":"s__t","description":"The tool s.t","parameters":%s}}]}
                """.formatted(message.orElseThrow(), SCHEMA)));
    }

    @Test
    void openAiResponses() throws InterruptedException {
        assertThat(request(ModelFormat.OPENAI_RESPONSES)).isEqualTo(folded("""
                {"model":"m","input":[{"role":"user","content":"Do it"},
                {"type":"function_call","call_id":"1","name":"s__t","arguments":"{}"},
                {"type":"function_call","call_id":"2","name":"s__t","arguments":"{\\"n\\":1}"},
                {"type":"function_call","call_id":"3","name":"x","arguments":"{}"},
                {"type":"function_call_output","call_id":"1","output":"ok"},
                {"type":"function_call_output","call_id":"2","output":
                [{"type":"input_image","image_url":"data:image/png;base64,AA=="}]},
                {"type":"function_call_output","call_id":"3","output":"There is no tool 'x'. The tools are [s__t]."}],
                "tools":[{"type":"function","name":"s__t","description":"The tool s.t","parameters":%s,"strict":false}]}
                """.formatted(SCHEMA)));
    }

    @Test
    void anthropic() throws InterruptedException {
        assertThat(request(ModelFormat.ANTHROPIC)).isEqualTo(folded("""
                {"model":"m","max_tokens":4096,"messages":[{"role":"user","content":"Do it"},
                {"role":"assistant","content":[{"type":"tool_use","id":"1","name":"s__t","input":{}},
                {"type":"tool_use","id":"2","name":"s__t","input":{"n":1}},
                {"type":"tool_use","id":"3","name":"x","input":{}}]},{"role":"user","content":[
                {"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"ok"}],"is_error":false},
                {"type":"tool_result","tool_use_id":"2","content":[{"type":"image","source":
                {"type":"base64","media_type":"image/png","data":"AA=="}}],"is_error":false},
                {"type":"tool_result","tool_use_id":"3","content":
                [{"type":"text","text":"There is no tool 'x'. The tools are [s__t]."}],"is_error":true}]}],
                "tools":[{"name":"s__t","description":"The tool s.t","input_schema":%s}]}
                """.formatted(SCHEMA)));
    }

    @Test
    void gemini() throws InterruptedException {
        assertThat(request(ModelFormat.GEMINI)).isEqualTo(folded("""
                {"contents":[{"role":"user","parts":[{"text":"Do it"}]},
                {"role":"model","parts":[{"functionCall":{"name":"s__t","args":{},"id":"1"}},
                {"functionCall":{"name":"s__t","args":{"n":1},"id":"2"}},
                {"functionCall":{"name":"x","args":{},"id":"3"}}]},{"role":"user","parts":[
                {"functionResponse":{"name":"s__t","response":{"output":"ok"},"id":"1"}},
                {"functionResponse":{"name":"s__t","response":{"output":"The images follow."},"id":"2"}},
                {"functionResponse":{"name":"x","response":
                {"error":"There is no tool 'x'. The tools are [s__t]."},"id":"3"}},
                {"inlineData":{"mimeType":"image/png","data":"AA=="}}]}],
                "tools":[{"functionDeclarations":[
                {"name":"s__t","description":"The tool s.t","parametersJsonSchema":%s}]}]}
                """.formatted(SCHEMA)));
    }

    private static String folded(String lines) {
        return lines.replaceAll("\n *", "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "OPENAI|length|{'choices':[{'message':{'content':'Hi'},'finish_reason':'length'}]}",
                "OPENAI|length|{'choices':[{'message':{'content':null,'refusal':'Hi'},'finish_reason':'length'}]}",
                "OPENAI_RESPONSES|incomplete|{'status':'incomplete','output':[{'content':[{'text':'H'},{'refusal':'i'}]}]}",
                "ANTHROPIC|max_tokens|{'stop_reason':'max_tokens','content':[{'type':'text','text':'H'},{'text':'i'}]}",
                "GEMINI|MAX_TOKENS|{'candidates':[{'finishReason':'MAX_TOKENS','content':{'parts':[{'text':'a','thought':true},{'text':'Hi'}]}}]}"
            })
    void truncatedTextIsRead(ModelFormat format, String reason, String response) {
        var turn = format.messages().read(Json.parse(response.replace('\'', '"')));

        assertThat(turn.text()).isEqualTo("Hi");
        assertThat(turn.calls()).isEmpty();
        assertThat(turn.cutOff()).isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "GEMINI|SAFETY|{'candidates':[{'finishReason':'SAFETY'}]}",
                "GEMINI|MALFORMED_FUNCTION_CALL|{'candidates':[{'finishReason':'MALFORMED_FUNCTION_CALL','content':{'parts':[{'functionCall':{'name':'f'}}]}}]}",
                "GEMINI|OTHER|{'promptFeedback':{'blockReason':'OTHER'}}",
                "OPENAI|content_filter|{'choices':[{'message':{'tool_calls':[{'function':{'name':'f'}}]},'finish_reason':'content_filter'}]}",
                "OPENAI_RESPONSES|max_output_tokens|{'status':'incomplete','incomplete_details':{'reason':'max_output_tokens'},'output':[{'type':'function_call','name':'f'}]}",
                "OPENAI_RESPONSES|busy|{'status':'failed','incomplete_details':null,'error':{'message':'busy'},'output':[]}",
                "ANTHROPIC|refusal|{'stop_reason':'refusal','content':[{'type':'tool_use','name':'f'}]}"
            })
    void responseThatItsApiCutsOffHasNoCalls(ModelFormat format, String reason, String response) {
        var turn = format.messages().read(Json.parse(response.replace('\'', '"')));

        assertThat(turn.cutOff()).isEqualTo(reason);
        assertThat(turn.calls()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "OPENAI|{'choices':[{'message':{'content':'Hi'},'finish_reason':'eos'}]}",
                "OPENAI|{'choices':[{'message':{'content':'Hi'},'finish_reason':null}]}",
                "OPENAI_RESPONSES|{'status':'completed','output':[{'content':[{'text':'Hi'}]}]}",
                "OPENAI_RESPONSES|{'output':[{'type':'reasoning','content':[{'text':'Hm'}]},{'type':'message','content':[{'text':'Hi'}]}]}",
                "ANTHROPIC|{'stop_reason':'stop_sequence','content':[{'type':'text','text':'Hi'}]}",
                "GEMINI|{'candidates':[{'finishReason':'STOP','content':{'parts':[{'text':'Hi'}]}}]}"
            })
    void completeResponseIsNotCutOff(ModelFormat format, String response) {
        var turn = format.messages().read(Json.parse(response.replace('\'', '"')));

        assertThat(turn.text()).isEqualTo("Hi");
        assertThat(turn.cutOff()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "OPENAI|{'choices':[{'message':{'tool_calls':[{'function':{'name':'f'}}]}}]}|``",
                "OPENAI|{'choices':[{'message':{'tool_calls':[{'function':{'name':'f','arguments':{'n':1}}}]}}]}|{'n':1}",
                "OPENAI|{'choices':[{'message':{'tool_calls':[{'function':{'name':'f','arguments':null}}]}}]}|``",
                "OPENAI_RESPONSES|{'output':[{'type':'reasoning'},{'type':'function_call','name':'f'}]}|``",
                "ANTHROPIC|{'content':[{'type':'tool_use','name':'f','input':null}]}|``",
                "GEMINI|{'candidates':[{'content':{'parts':[{'functionCall':{'name':'f'}}]}}]}|``"
            })
    void callsWithMissingMembersAreRead(ModelFormat format, String response, String arguments) {
        var turn = format.messages().read(Json.parse(response.replace('\'', '"')));

        assertThat(turn.calls()).containsExactly(use("", "f", arguments.replace('\'', '"')));
        assertThat(turn.cutOff()).isEmpty();
    }

    @Test
    void unknownMembersOfAMessageAreNotSentBack() {
        var turn = ModelFormat.OPENAI
                .messages()
                .read(Json.parse("{\"choices\":[{\"message\":{\"content\":\"Hi\",\"reasoning_content\":\"x\"}}]}"));

        assertThat(Json.of(turn.items()).text()).isEqualTo("[{\"role\":\"assistant\",\"content\":\"Hi\"}]");
    }
}
