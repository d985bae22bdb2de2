package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.testkit.RecordingReply;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Prompts of many servers, and completions about prompts and resources. */
class PromptRoutingTest {
    private final ManyServers bench = new ManyServers(ToolNaming.PREFIX, "a", "b");

    @AfterEach
    void close() {
        bench.close();
    }

    @Nested
    class Prompts {
        @Test
        void promptsAreListedWithTheirServerPrefix() {
            bench.lists("a", ListKind.PROMPTS, "review", "code review");
            bench.lists("b", ListKind.PROMPTS, "review");

            assertThat(bench.result(Methods.PROMPTS_LIST, "{}"))
                    .isEqualTo("{\"prompts\":[{\"name\":\"a__review\"},{\"name\":\"a__code"
                            + " review\"},{\"name\":\"b__review\"}]}");
        }

        @Test
        void promptReachesItsServerUnderItsOwnName() {
            bench.ask(Methods.PROMPTS_GET, "{\"name\":\"b__code review\",\"arguments\":{\"n\":\"1\"}}");

            assertThat(bench.server("b").last().message().raw(MessageField.PARAMS))
                    .contains("{\"name\":\"code review\",\"arguments\":{\"n\":\"1\"}}");
        }

        @Test
        void promptOfAnUnknownServerIsUnknown() {
            var failure =
                    bench.ask(Methods.PROMPTS_GET, "{\"name\":\"c__review\"}").awaitFailure();

            assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS);
            assertThat(failure.message()).isEqualTo("Unknown prompt: c__review");
        }

        @Test
        void plainPromptNamesAreKeptUnlessTheyClash() {
            try (var plain = new ManyServers(ToolNaming.PLAIN, "a", "b")) {
                plain.lists("a", ListKind.PROMPTS, "both", "mine");
                plain.lists("b", ListKind.PROMPTS, "both", "yours");

                assertThat(plain.result(Methods.PROMPTS_LIST, "{}"))
                        .isEqualTo("{\"prompts\":[{\"name\":\"mine\"},{\"name\":\"yours\"}]}");
                plain.ask(Methods.PROMPTS_GET, "{\"name\":\"yours\"}");
                assertThat(plain.server("b").last().message().raw(MessageField.PARAMS))
                        .contains("{\"name\":\"yours\"}");
                assertThat(plain.ask(Methods.PROMPTS_GET, "{\"name\":\"both\"}")
                                .awaitFailure()
                                .message())
                        .isEqualTo("Unknown prompt: both");
            }
        }
    }

    @Nested
    class Completions {
        private static final String ARGUMENT = "\"argument\":{\"name\":\"n\",\"value\":\"v\"}";

        @Test
        void completionOfAPromptReachesItsServerUnderItsOwnName() {
            complete("{\"type\":\"ref/prompt\",\"name\":\"b__review\",\"title\":\"T\"}");

            assertThat(bench.server("b").last().message().raw(MessageField.PARAMS))
                    .contains(
                            "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"review\",\"title\":\"T\"}," + ARGUMENT + "}");
        }

        @Test
        void completionOfATemplateReachesTheServerThatListsIt() {
            bench.lists("b", ListKind.TEMPLATES, "repo://{name}");

            complete("{\"type\":\"ref/resource\",\"uri\":\"repo://{name}\"}");

            assertThat(bench.server("b").last().message().raw(MessageField.PARAMS))
                    .contains("{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"repo://{name}\"}," + ARGUMENT + "}");
        }

        @Test
        void completionOfAUriReachesTheServerWithAMatchingTemplate() {
            bench.lists("a", ListKind.TEMPLATES, "repo://{name}");

            complete("{\"type\":\"ref/resource\",\"uri\":\"repo://x\"}");

            assertThat(((Request) bench.server("a").last().message()).method()).isEqualTo(Methods.COMPLETION_COMPLETE);
        }

        @Test
        void completionIsEmptyIfTheServerDeclaresNone() {
            bench.add("c", "{\"prompts\":{}}", Map.of());
            bench.result(Methods.PROMPTS_LIST, "{}");

            var result = bench.send(
                            Methods.COMPLETION_COMPLETE,
                            "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"c__x\"}," + ARGUMENT + "}")
                    .awaitAnswer();

            assertThat(result.raw(MessageField.RESULT)).contains("{\"completion\":{\"values\":[],\"hasMore\":false}}");
        }

        @ParameterizedTest(name = "{0}")
        @ValueSource(
                strings = {
                    "{\"type\":\"ref/tool\",\"name\":\"x\"}",
                    "{\"type\":\"ref/prompt\"}",
                    "{\"type\":\"ref/prompt\",\"name\":\"c__x\"}",
                    "{\"type\":\"ref/resource\",\"uri\":\"nobodys:x\"}",
                    "{}",
                    "[]",
                    "\"ref/prompt\""
                })
        void invalidCompletionReferenceIsRejected(String ref) {
            var failure = complete(ref).awaitFailure();

            assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS);
        }

        private RecordingReply complete(String ref) {
            return bench.ask(Methods.COMPLETION_COMPLETE, "{\"ref\":" + ref + "," + ARGUMENT + "}");
        }
    }
}
