package io.mcpbridge.agents;

import static io.mcpbridge.agents.ScriptedModel.use;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.agents.MessageFormat.ToolAnswer;
import io.mcpbridge.agents.MessageFormat.ToolUse;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import io.mcpbridge.testkit.ScriptedServer;
import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolResult;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What models see of tools, and what becomes of their calls. */
@Timeout(60)
class AgentToolsTest {
    private final RecordingTools source = new RecordingTools();

    private AgentTools load(String... servers) throws InterruptedException {
        return AgentRunner.of(source).loadTools(List.of(servers));
    }

    private List<ToolAnswer> run(AgentTools tools, ToolUse... uses) throws InterruptedException {
        return tools.run(
                List.of(uses), System.nanoTime() + Duration.ofSeconds(30).toNanos());
    }

    private String words(AgentTools tools, ToolUse use) throws InterruptedException {
        return run(tools, use).get(0).text();
    }

    @Nested
    class Names {

        @Test
        void toolsOfTwoServersWithTheSameNameAreDistinct() throws InterruptedException {
            var tools = load2();

            assertThat(tools.names()).containsExactly("github__get", "deploy__get");
            assertThat(tools.tool("deploy__get")).contains("deploy.get");
            run(tools, use("1", "deploy__get", "{}"), use("2", "github__get", "{}"));
            assertThat(source.calls()).containsExactlyInAnyOrder("deploy.get{}", "github.get{}");
        }

        private AgentTools load2() throws InterruptedException {
            source.tool("github", "get").tool("deploy", "get");
            return load("github", "deploy", "github");
        }

        @Test
        void namesThatBecomeEqualAreDistinct() throws InterruptedException {
            source.tool("a__b", "c").tool("a", "b__c").tool("a", "b.c").tool("a", "b c");

            var tools = load("a__b", "a");

            assertThat(tools.names()).hasSize(4).first().isEqualTo("a__b__c");
            assertThat(tools.names().stream().map(name -> tools.tool(name).orElseThrow()))
                    .containsExactly("a__b.c", "a.b__c", "a.b.c", "a.b c");
        }

        @ParameterizedTest
        @ValueSource(strings = {"x", "9lives", "files.read/all", "über-tool", "-", "__"})
        void everyNameIsValidForAllApis(String name) throws InterruptedException {
            source.tool("", name).tool("server", name + "y".repeat(200));

            var tools = load("", "server");

            assertThat(tools.names()).hasSize(2).allMatch(each -> each.matches("[A-Za-z_][A-Za-z0-9_-]{0,63}"));
            assertThat(tools.tool(tools.names().get(0))).contains(name);
            assertThat(tools.tool(tools.names().get(1))).contains("server." + name + "y".repeat(200));
        }

        @Test
        void longNamesWithACommonPrefixAreDistinctAndStable() throws InterruptedException {
            source.tool("s", "n".repeat(200) + "1").tool("s", "n".repeat(200) + "2");

            assertThat(load("s").names())
                    .doesNotHaveDuplicates()
                    .hasSize(2)
                    .isEqualTo(load("s").names());
        }
    }

    @Nested
    class Arguments {

        @ParameterizedTest
        @CsvSource({"'',{}", "' ',{}", "null,{}", "{},{}", "'{\"n\":1.50}','{\"n\":1.50}'"})
        void absentArgumentsAreAnEmptyObject(String written, String sent) throws InterruptedException {
            source.tool("s", "t");

            assertThat(words(load("s"), use("1", "s__t", written))).isEqualTo("t done");

            assertThat(source.calls()).containsExactly("s.t" + sent);
        }

        @ParameterizedTest
        @ValueSource(strings = {"[1]", "\"text\"", "42", "true", "{\"a\":", "{'a':1}", "{\"a\":1,\"a\":2}", "{} {}"})
        void otherArgumentsAreRejectedWithAMessage(String written) throws InterruptedException {
            source.tool("s", "t");

            var answer = run(load("s"), use("1", "s__t", written)).get(0);

            assertThat(answer.isError()).isTrue();
            assertThat(answer.text()).startsWith("The tool did not run. Its arguments must be a JSON object: ");
            assertThat(source.calls()).isEmpty();
        }

        @Test
        void renamedArgumentsReachTheToolUnderTheirOwnNames() throws InterruptedException {
            source.tool("s", "t", "{\"properties\":{\"$top\":{},\"#top\":{},\"_top\":{}},\"required\":[\"#top\"]}");
            var tools = load("s");

            run(tools, use("1", "s__t", "{\"__top\":1,\"__top_\":2,\"_top\":3}"));

            assertThat(Json.of(tools.declarations().get(0).parameters()).text())
                    .isEqualTo("{\"properties\":{\"__top\":{},\"__top_\":{},\"_top\":{}},\"type\":\"object\","
                            + "\"required\":[\"__top_\"]}");
            assertThat(source.calls()).containsExactly("s.t{\"_top\":3,\"$top\":1,\"#top\":2}");
        }

        @Test
        void renamedArgumentHasTheNameOfNoOther() throws InterruptedException {
            source.tool("s", "t", "{\"properties\":{\"$top\":{}},\"allOf\":[{\"properties\":{\"__top\":{}}}]}");

            run(load("s"), use("1", "s__t", "{\"__top\":1,\"__top_\":2}"));

            assertThat(source.calls()).containsExactly("s.t{\"__top\":1,\"$top\":2}");
        }

        @Test
        void unknownToolIsRejectedWithASuggestion() throws InterruptedException {
            source.tool("s", "read_file").tool("s", "other");

            assertThat(words(load("s"), use("1", "s__read_fil", "{}")))
                    .isEqualTo("There is no tool 's__read_fil'. did you mean 's__read_file'? "
                            + "The tools are [s__read_file, s__other].");
        }
    }

    @Test
    void errorForAnUnknownToolListsFiftyTools() throws InterruptedException {
        IntStream.range(0, 1_000).forEach(n -> source.tool("s", "tool" + n));

        assertThat(words(load("s"), use("1", "nothing", "{}")))
                .contains("s__tool49] and others.")
                .doesNotContain("s__tool50");
    }

    @Nested
    class Results {

        private ToolAnswer result(String json) throws InterruptedException {
            source.tool("s", "t").returning(json);
            return run(load("s"), use("1", "s__t", "{}")).get(0);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{}|The tool returned nothing.",
                    "{\"content\":[]}|The tool returned nothing.",
                    "{\"content\":[{\"type\":\"text\",\"text\":\"\"}]}|The tool returned nothing.",
                    "{\"isError\":true}|The tool failed and said nothing.",
                    "{\"content\":[],\"structuredContent\":{\"n\":1}}|{\"n\":1}",
                    "{\"content\":[{\"type\":\"audio\",\"data\":\"AA\",\"mimeType\":\"audio/wav\"}]}|[audio of type audio/wav, left out]",
                    "{\"content\":[{\"type\":\"image\",\"data\":\"AA\",\"mimeType\":\"image/tiff\"}]}|[an image of type image/tiff, left out]",
                    "{\"content\":[{\"type\":\"resource\",\"resource\":{\"uri\":\"a:b\",\"text\":\"T\"}}]}|T",
                    "{\"content\":[{\"type\":\"resource\",\"resource\":{\"uri\":\"a:b\",\"blob\":\"AA\"}}]}|[the resource a:b, binary, left out]",
                    "{\"content\":[{\"type\":\"resource_link\",\"uri\":\"a:b\"}]}|[the resource a:b]",
                    "{\"content\":[{\"type\":\"later\"}]}|[a block of type later, left out]"
                })
        void everyResultHasAText(String json, String words) throws InterruptedException {
            assertThat(result(json).text()).isEqualTo(words);
        }

        @Test
        void resultOf16MiBIsTruncated() throws InterruptedException {
            var answer = result(Json.of(Map.of(
                            "content",
                            List.of(
                                    Map.of("type", "text", "text", "x".repeat(16 << 20)),
                                    Map.of("type", "text", "text", "y"))))
                    .text());

            assertThat(answer.text())
                    .hasSizeLessThan(100_100)
                    .endsWith("x\n[The text is cut here, 16677216 characters are missing. Ask for less.]");
        }

        @Test
        void imagesStayImagesUnlessTheToolFailed() throws InterruptedException {
            var image = "{\"type\":\"image\",\"data\":\"AA==\",\"mimeType\":\"image/png\"}";

            assertThat(result("{\"content\":[%s,%s]}".formatted(image, image)).content())
                    .containsOnly(new Content.Image("AA==", "image/png"));
            assertThat(result("{\"isError\":true,\"content\":[%s]}".formatted(image))
                            .text())
                    .isEqualTo("[an image of type image/png, left out]");
        }
    }

    @Nested
    class Failures {

        private String words(Failure failure) throws InterruptedException {
            source.tool("s", "t")
                    .answering((tool, arguments) -> CompletableFuture.failedFuture(CallException.of(failure)));
            return AgentToolsTest.this.words(load("s"), use("1", "s__t", "{}"));
        }

        @Test
        void callInDoubtMustNotBeRepeated() throws InterruptedException {
            var lost = Failure.of(ErrorCode.IN_DOUBT, "the server ended").withDelivery(Delivery.UNKNOWN);

            assertThat(words(lost))
                    .isEqualTo("The call failed: the server ended. It is unknown whether the call ran:"
                            + " find out before you call the tool again.");
            assertThat(words(lost.withHarmless())).endsWith("You may call the tool again.");
        }

        @Test
        void unsentCallDidNotRun() throws InterruptedException {
            assertThat(words(Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "down")))
                    .isEqualTo("The call failed: down. The tool did not run. You may try again later.");
            assertThat(words(Failure.of(ErrorCode.INVALID_PARAMS, "bad"))).endsWith("The tool did not run.");
            assertThat(words(Failure.of(ErrorCode.SERVER_ERROR, "no such tool").withDelivery(Delivery.ANSWERED)))
                    .isEqualTo("The call failed: no such tool.");
        }

        @Test
        void longTextsOfServersAndModelsAreTruncated() throws InterruptedException {
            assertThat(words(Failure.of(ErrorCode.SERVER_ERROR, "x".repeat(1 << 20))))
                    .hasSizeLessThan(100_100)
                    .contains("The text is cut here");
            assertThat(AgentToolsTest.this.words(load("s"), use("1", "y".repeat(1 << 20), "{}")))
                    .startsWith("There is no tool '" + "y".repeat(64) + "…'. The tools are [s__t");
        }

        @Test
        void exceptionFailsOnlyItsCall() throws InterruptedException {
            source.tool("s", "t").tool("s", "bad").answering((tool, arguments) -> {
                if (tool.equals("bad")) {
                    throw new IllegalStateException("secret");
                }
                return CompletableFuture.completedFuture(RecordingTools.result("{}"));
            });

            var answers = run(load("s"), use("1", "s__bad", "{}"), use("2", "s__t", "{}"));

            assertThat(answers.get(0).text())
                    .startsWith("The call failed: IllegalStateException.")
                    .contains("unknown");
            assertThat(answers.get(1).isError()).isFalse();
        }
    }

    @Nested
    class InParallel {

        @Test
        void twoHundredCallsRunEightAtATimeInTheOrderOfTheModel() throws InterruptedException {
            var batch = new ConcurrentLinkedDeque<Runnable>();
            var most = new AtomicInteger();
            source.tool("s", "t").answering((tool, arguments) -> {
                var call = new CompletableFuture<ToolResult>();
                var text = "{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}".formatted(arguments.get("n"));
                batch.addFirst(() -> call.complete(RecordingTools.result(text)));
                most.accumulateAndGet(batch.size(), Math::max);
                if (batch.size() == 8) {
                    var ended = List.copyOf(batch);
                    batch.clear();
                    var unused = CompletableFuture.runAsync(() -> ended.forEach(Runnable::run));
                }
                return call;
            });
            var uses = IntStream.range(0, 200)
                    .mapToObj(n -> use("id" + n, "s__t", "{\"n\":%d}".formatted(n)))
                    .toArray(ToolUse[]::new);

            var answers = run(load("s"), uses);

            assertThat(answers.stream().map(ToolAnswer::text))
                    .containsExactlyElementsOf(
                            IntStream.range(0, 200).mapToObj(String::valueOf).toList());
            assertThat(most.get()).isEqualTo(8);
        }

        @Test
        void repeatedCallRunsTwiceButARepeatedIdRunsOnce() throws InterruptedException {
            source.tool("s", "t");

            var answers = run(load("s"), use("1", "s__t", "{}"), use("2", "s__t", "{}"), use("2", "s__t", "{}"));

            assertThat(answers).hasSize(3).allMatch(answer -> answer.text().equals("t done"));
            assertThat(source.calls()).hasSize(2);
        }

        @Test
        void callsWithoutAnIdAreDistinct() throws InterruptedException {
            source.tool("s", "t");

            run(load("s"), use("", "s__t", "{}"), use("", "s__t", "{}"));

            assertThat(source.calls()).hasSize(2);
        }

        @Test
        void callIsCancelledAfterTheDeadline() throws InterruptedException {
            var call = new CompletableFuture<ToolResult>();
            source.tool("s", "t").answering((tool, arguments) -> call);

            var answer = load("s")
                    .run(List.of(use("1", "s__t", "{}")), System.nanoTime() + 1_000_000)
                    .get(0);

            assertThat(call).isCancelled();
            assertThat(answer.text())
                    .isEqualTo("No answer came in time. It is unknown whether the call ran:"
                            + " find out before you call the tool again.");
        }
    }

    @ParameterizedTest
    @EnumSource
    void programWithItsOwnLoopGetsTheItemsOfTheNextRequest(ModelFormat format) throws InterruptedException {
        source.tool("s", "t");
        var tools = load("s");

        var items = tools.answer(format, ScriptedModel.calls(format, List.of(use("7", "s__t", "{}"))));

        assertThat(items).singleElement().asString().contains("t done");
        assertThat(tools.answer(format, ScriptedModel.says(format, "hi"))).isEmpty();
    }

    @Test
    void serversOfADaemonAreListedOnce() throws InterruptedException {
        var daemon = new ScriptedServer()
                .on(
                        Methods.SERVER_DISCOVER,
                        "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}},\"ttlMs\":0,"
                                + "\"cacheScope\":\"private\"}")
                .on(
                        Methods.TOOLS_LIST,
                        "{\"tools\":[{\"name\":\"a__t\",\"inputSchema\":{\"type\":\"object\"}},"
                                + "{\"name\":\"b__t\",\"inputSchema\":{\"type\":\"object\"}}],\"ttlMs\":0,"
                                + "\"cacheScope\":\"private\"}");
        var options = ConnectionOptions.DEFAULTS
                .withTransport(InMemoryTransportProvider.to(daemon))
                .withRetryPolicy("none")
                .withoutSchemaCheck();
        try (var connection = Connection.to(URI.create("memory:daemon"), options)) {
            var tools = AgentRunner.of(ToolSource.of(connection)).loadTools(List.of("b", "a", "b"));

            assertThat(tools.names()).containsExactly("b__t", "a__t");
            assertThat(daemon.received())
                    .filteredOn(message ->
                            message instanceof Request asked && asked.method().equals(Methods.TOOLS_LIST))
                    .hasSize(1);
        }
    }
}
