package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.BridgeLimits;
import io.mcpbridge.spi.ByteBudget;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Resources of many servers: one list, and each URI reaches the one server that owns it, unchanged. */
class ResourceRoutingTest {
    private final ManyServers bench = new ManyServers(ToolNaming.PREFIX, "a", "b");

    @AfterEach
    void close() {
        bench.close();
    }

    @Nested
    class Listing {
        @Test
        void resourcesOfAllServersAreListedUnderTheirOwnUris() {
            bench.lists("a", ListKind.RESOURCES, "note://1", "note://2");
            bench.lists("b", ListKind.RESOURCES, "repo://x");

            assertThat(bench.result(Methods.RESOURCES_LIST, "{}"))
                    .isEqualTo(
                            "{\"resources\":[{\"uri\":\"note://1\",\"name\":\"n\"},{\"uri\":\"note://2\",\"name\":\"n\"},{\"uri\":\"repo://x\",\"name\":\"n\"}]}");
        }

        @Test
        void templatesAreListed() {
            bench.lists("b", ListKind.TEMPLATES, "repo://{owner}/{name}");

            assertThat(bench.result(Methods.RESOURCES_TEMPLATES_LIST, "{}"))
                    .isEqualTo("{\"resourceTemplates\":[{\"uriTemplate\":\"repo://{owner}/{name}\",\"name\":\"n\"}]}");
        }

        @Test
        void resourceOfAnEarlierServerHidesALaterOne() {
            bench.lists("a", ListKind.RESOURCES, "note://1");
            bench.lists("b", ListKind.RESOURCES, "note://1", "note://2");

            assertThat(bench.result(Methods.RESOURCES_LIST, "{}"))
                    .isEqualTo(
                            "{\"resources\":[{\"uri\":\"note://1\",\"name\":\"n\"},{\"uri\":\"note://2\",\"name\":\"n\"}]}");
            bench.result(Methods.RESOURCES_LIST, "{}");
            assertThat(bench.log.lines())
                    .filteredOn(line -> line.contains(
                            "the resource 'note://1' of server 'b' is left out, since server 'a' has it too"))
                    .hasSize(1);
        }

        @Test
        void serverWithoutTheResourcesCapabilityIsNotAsked() {
            bench.add("c", "{\"tools\":{}}", Map.of());
            bench.lists("a", ListKind.RESOURCES, "note://1");

            assertThat(bench.result(Methods.RESOURCES_LIST, "{}"))
                    .isEqualTo("{\"resources\":[{\"uri\":\"note://1\",\"name\":\"n\"}]}");
            assertThat(bench.server("c").requests()).isEmpty();
        }

        @Test
        void silentServerIsOmittedAfterTheTimeout() {
            bench.silent("a");
            bench.lists("b", ListKind.RESOURCES, "repo://x");
            var reply = bench.ask(Methods.RESOURCES_LIST, "{}");
            assertThat(reply.isDone()).isFalse();

            bench.time.advance(Duration.ofSeconds(10));

            assertThat(reply.awaitAnswer().raw(MessageField.RESULT))
                    .contains("{\"resources\":[{\"uri\":\"repo://x\",\"name\":\"n\"}]}");
        }
    }

    @Nested
    class Reading {
        @Test
        void readReachesTheServerThatListsTheUri() {
            bench.lists("b", ListKind.RESOURCES, "repo://x");

            bench.ask(Methods.RESOURCES_READ, "{\"uri\":\"repo://x\"}");

            assertThat(lastParams("b")).isEqualTo("{\"uri\":\"repo://x\"}");
            assertThat(reads("a")).isZero();
        }

        @Test
        void readReachesTheFirstOfTwoServersThatListTheUri() {
            bench.lists("a", ListKind.RESOURCES, "note://1");
            bench.lists("b", ListKind.RESOURCES, "note://1");

            bench.ask(Methods.RESOURCES_READ, "{\"uri\":\"note://1\"}");

            assertThat(reads("a")).isEqualTo(1);
            assertThat(reads("b")).isZero();
        }

        @Test
        void readReachesTheServerWithTheLongestMatchingTemplatePrefix() {
            bench.lists("a", ListKind.TEMPLATES, "repo://{owner}/{name}");
            bench.lists("b", ListKind.TEMPLATES, "repo://acme/{name}");

            bench.ask(Methods.RESOURCES_READ, "{\"uri\":\"repo://acme/x\"}");

            assertThat(reads("b")).isEqualTo(1);
        }

        @Test
        void readReachesTheServerConfiguredForTheScheme() {
            bench.add("c", ManyServers.EVERYTHING, Map.of("schemes", List.of("Git:")));
            bench.lists("a", ListKind.TEMPLATES, "{+anything}");

            bench.ask(Methods.RESOURCES_READ, "{\"uri\":\"git://x\"}");
            bench.ask(Methods.RESOURCES_READ, "{\"uri\":\"other://x\"}");

            assertThat(reads("c")).isEqualTo(1);
            assertThat(lastParams("a")).isEqualTo("{\"uri\":\"other://x\"}");
        }

        @Test
        void readOfAKnownUriDoesNotWaitForASilentServer() {
            bench.silent("a");
            bench.lists("b", ListKind.RESOURCES, "repo://x");
            bench.ask(Methods.RESOURCES_LIST, "{}");

            bench.ask(Methods.RESOURCES_READ, "{\"uri\":\"repo://x\"}");

            assertThat(reads("b")).isEqualTo(1);
        }

        @ParameterizedTest(name = "{0}")
        @ValueSource(
                strings = {
                    "file:///etc/passwd",
                    "file:///docs/../etc/passwd",
                    "file:///docs/a/../../etc/passwd",
                    "FILE:///docs/a",
                    "http://127.0.0.1/",
                    "docs/a",
                    "",
                    "file:///docs/"
                })
        void unknownResourceIsRejectedAndReachesNoServer(String uri) {
            bench.lists("a", ListKind.TEMPLATES, "file:///docs/{name}");

            var error = bench.ask(Methods.RESOURCES_READ, "{\"uri\":\"" + uri + "\"}")
                    .awaitAnswer();

            assertThat(error.raw(MessageField.ERROR_CODE)).contains("-32002");
            assertThat(error.text(MessageField.ERROR_MESSAGE)).contains("Unknown resource: " + uri);
            assertThat(error.raw(MessageField.ERROR_DATA)).contains("{\"uri\":\"" + uri + "\"}");
            assertThat(reads("a") + reads("b")).isZero();
        }

        @Test
        void unknownResourceErrorFollowsTheEraOfTheClient() {
            var modern = Caller.ANONYMOUS.withVersion(ProtocolVersion.LATEST);

            var error = bench.ask(modern, Methods.RESOURCES_READ, "{\"uri\":\"x:y\"}")
                    .awaitAnswer();

            assertThat(error.raw(MessageField.ERROR_CODE)).contains("-32602");
            assertThat(error.raw(MessageField.ERROR_DATA)).contains("{\"uri\":\"x:y\"}");
        }

        @Test
        void resourceMethodsRequireAUri() {
            for (var method :
                    List.of(Methods.RESOURCES_READ, Methods.RESOURCES_SUBSCRIBE, Methods.RESOURCES_UNSUBSCRIBE)) {
                var failure = bench.ask(method, "{\"uri\":7}").awaitFailure();

                assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS);
                assertThat(failure.message()).isEqualTo("'%s' needs 'params.uri', a text".formatted(method));
            }
        }

        @Test
        void onlyServerGetsUnlistedUris() {
            try (var alone = new ManyServers(ToolNaming.PREFIX, "only")) {
                alone.ask(Methods.RESOURCES_READ, "{\"uri\":\"unlisted:x\"}");

                assertThat(alone.server("only").requests()).hasSize(1);
            }
        }
    }

    private long reads(String server) {
        return bench.server(server).requests().stream()
                .filter(out -> ((Request) out.message()).method().equals(Methods.RESOURCES_READ))
                .count();
    }

    private String lastParams(String server) {
        return bench.server(server).last().message().raw(MessageField.PARAMS).orElse("none");
    }

    @Nested
    class Subscribing {
        private final RecordingAudience audience = new RecordingAudience();
        private final Caller caller = Caller.ANONYMOUS.withSession("alice").withNotificationSink(audience);

        @Test
        void subscriptionsPerSessionAreLimited() {
            assertThat(refusedAt(1_024, bench).message())
                    .contains("1024 resources are subscribed to already", "the limit 'limits.subscribed-resources'");
        }

        @Test
        void subscriptionLimitIsConfigurable() {
            var bounds = new BridgeLimits(Limits.CLIENT, Limits.SERVER, 1_024, 64, 1_024, 2, ByteBudget.ofHeap());
            try (var small = new ManyServers(bounds, ToolNaming.PREFIX, "a", "b")) {
                assertThat(refusedAt(2, small).message()).contains("2 resources are subscribed to already");
            }
        }

        /** The error for a client that subscribes to one resource too many. */
        private Failure refusedAt(int resources, ManyServers servers) {
            servers.lists("a", ListKind.TEMPLATES, "note://{number}");
            servers.result(Methods.RESOURCES_LIST, "{}");
            servers.result(Methods.RESOURCES_TEMPLATES_LIST, "{}");
            for (int i = 0; i < resources; i++) {
                assertThat(subscribe(servers, i).outcomes()).noneMatch(Outcome.Failed.class::isInstance);
            }

            var failure = subscribe(servers, resources).awaitFailure();
            assertThat(failure.code()).isEqualTo(ErrorCode.OVERLOADED);
            return failure;
        }

        private RecordingReply subscribe(ManyServers servers, int number) {
            return servers.send(caller, Methods.RESOURCES_SUBSCRIBE, "{\"uri\":\"note://%d\"}".formatted(number));
        }
    }
}
