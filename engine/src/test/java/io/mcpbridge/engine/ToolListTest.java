package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.engine.upstream.UpstreamStatus;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.tool.ToolDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The tools of one server are listed with all their pages, and again when they changed. */
class ToolListTest {
    private final OneServer bench = OneServer.reconnecting();
    private final Lists lists = new Lists();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void catalogThatThrowsFailsOneLoadOnly() {
        var isBroken = new AtomicBoolean();
        try (var broken = OneServer.keeping(kept -> new BreakingCatalog(kept, isBroken), Map.of())) {
            isBroken.set(true);
            broken.route.tools().list(OneServer.client("alice"), lists);
            broken.connection().answer(broken.connection().last(), page("a", "null"));
            isBroken.set(false);
            broken.route.tools().list(OneServer.client("alice"), lists);
            broken.connection().answer(broken.connection().last(), page("a", "null"));
        }

        assertThat(lists.failures)
                .singleElement()
                .satisfies(why -> assertThat(why.message())
                        .isEqualTo("the tools of server 'tools' cannot be kept: the disk is full"));
        assertThat(lists.told).containsExactly(List.of("a"));
    }

    @Test
    void strictnessOfTheCatalogIsReadOnlyOnce() {
        var isBroken = new AtomicBoolean();
        try (var broken = OneServer.keeping(kept -> new BreakingCatalog(kept, isBroken), Map.of())) {
            isBroken.set(true);
            var reply = broken.send();
            broken.connection().answer(broken.connection().last(), "{}");

            assertThat(reply.isDone()).isTrue();
        }
    }

    /** A catalog that keeps nothing for a while. */
    private record BreakingCatalog(ToolCatalog catalog, AtomicBoolean isBroken) implements ToolCatalog {

        @Override
        public boolean isStrict() {
            if (isBroken.get()) {
                throw new IllegalStateException("the disk is full");
            }
            return false;
        }

        @Override
        public Snapshot snapshot() {
            return catalog.snapshot();
        }

        @Override
        public Change update(String server, List<ToolDefinition> listed) {
            if (isBroken.get()) {
                throw new IllegalStateException("the disk is full");
            }
            return catalog.update(server, listed);
        }

        @Override
        public Change remove(String server) {
            return catalog.remove(server);
        }

        @Override
        public void close() {
            catalog.close();
        }
    }

    @Nested
    class Pages {
        @Test
        void allPagesAreRead() {
            list();
            answer(page("a", "\"2\""));
            answer(page("b", "\"\""));

            assertThat(cursor(bench.connection().last())).isEqualTo("\"\"");
            answer(page("c", "null"));

            assertThat(lists.told).containsExactly(List.of("a", "b", "c"));
        }

        @Test
        void repeatedCursorIsReportedAsALoop() {
            list();
            answer(page("a", "\"2\""));
            answer(page("b", "\"2\""));

            assertThat(lists.failures.get(0).code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
            assertThat(lists.failures.get(0).message()).contains("never ends", "\"2\"");
        }

        @Test
        void repeatedFirstPageAfterAnEmptyCursorEndsTheList() {
            list();
            answer(page("a", "\"2\""));
            answer(page("b", "\"\""));
            answer(page("a", "\"2\""));

            assertThat(lists.told).containsExactly(List.of("a", "b"));
            assertThat(bench.upstream().status().dropped()).isZero();
            assertThat(bench.connection().requests()).hasSize(3);
        }

        @Test
        void repeatedPageThatFillsTheLimitEndsTheList() {
            var full = pageOf(1_000).replace("]}", "],\"nextCursor\":\"\"}");
            list();
            answer(full);
            answer(full);

            assertThat(lists.told.get(0)).hasSize(1_000);
            assertThat(bench.upstream().status().remarks()).isEmpty();
        }

        @Test
        void repeatedEmptyCursorWithOtherToolsIsReportedAsALoop() {
            list();
            answer(page("a", "\"\""));
            answer(page("b", "\"\""));

            assertThat(lists.failures.get(0).message()).contains("never ends", "the cursor \"\" came again");
        }

        @Test
        void listHasAtMostOneThousandPages() {
            list();
            for (int i = 1; i <= 999; i++) {
                answer(page("t" + i, "\"" + i + "\""));
            }
            assertThat(lists.failures).isEmpty();

            answer(page("t1000", "\"1000\""));

            assertThat(lists.failures).hasSize(1);
        }

        @Test
        void toolsBeyondTheItemLimitAreOmittedWithARemark() {
            list();
            answer(pageOf(1_000));
            assertThat(lists.told.get(0)).hasSize(1_000);
            assertThat(bench.upstream().status().remarks()).isEmpty();

            bench.route.tools().reload("", () -> {});
            answer(pageOf(10_000));
            list();

            assertThat(lists.told.get(1)).hasSize(1_000);
            assertThat(bench.upstream().status().remarks())
                    .containsExactly(
                            "server 'tools' lists more tools than the limits 'list-items' (1000) and 'list-bytes'"
                                    + " (4194304) allow; the rest is left out");
            assertThat(bench.connection().requests()).hasSize(2);
        }

        @Test
        void toolsBeyondTheByteLimitAreOmittedWithARemark() {
            var big = "{\"tools\":[{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"},\"description\":\""
                    + "x".repeat(1_500_000) + "\"}],\"nextCursor\":\"%s\"}";
            list();
            answer(big.formatted("a", "2"));
            answer(big.formatted("b", "3"));
            answer(big.formatted("c", "4"));

            assertThat(lists.told).containsExactly(List.of("a", "b"));
            assertThat(bench.upstream().status().remarks()).hasSize(1);
        }

        @Test
        void unansweredListTimesOut() {
            list();

            bench.time.advance(OneServer.TIMEOUT);

            assertThat(lists.failures.get(0).code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
            assertThat(bench.time.pendingAlarms()).as("asks again later").isEqualTo(1);
        }

        private String pageOf(int count) {
            return IntStream.range(0, count)
                    .mapToObj(i -> "{\"name\":\"t%05d\",\"inputSchema\":{\"type\":\"object\"}}".formatted(i))
                    .collect(Collectors.joining(",", "{\"tools\":[", "]}"));
        }
    }

    @Nested
    class Definitions {
        @Test
        void unusableDefinitionIsOmittedAlone() {
            list();
            answer(
                    "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}},{\"title\":\"nameless\"},7,{\"name\":\"b\",\"inputSchema\":{\"type\":\"object\"}}]}");

            assertThat(lists.told).containsExactly(List.of("a", "b"));
            assertThat(bench.upstream().status().dropped()).isEqualTo(2);
        }

        @Test
        void checkThatDoesNotFitItsLibraryRejectsTheTool() {
            bench.route.tools().checkWith(tool -> {
                throw new NoSuchMethodError("validate");
            });
            list();
            answer(page("a", "null"));

            assertThat(lists.told).containsExactly(List.of());
            assertThat(bench.route.tools().of(OneServer.client("alice")).whyRejected("a"))
                    .contains("it cannot be judged: java.lang.NoSuchMethodError: validate");
        }

        @Test
        void duplicateDefinitionIsDropped() {
            list();
            answer(
                    "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"},\"title\":\"first\"},{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}}]}");

            assertThat(lists.told).containsExactly(List.of("a"));
            assertThat(bench.route.tools().find("a").orElseThrow().title()).contains("first");
        }
    }

    @Nested
    class Asking {
        @Test
        void concurrentListingsAreCoalesced() {
            list();
            list();
            answer(page("a", "null"));

            assertThat(lists.told).hasSize(2);
            assertThat(bench.connection().requests()).hasSize(1);
        }

        @Test
        void secondListingIsServedFromTheCatalog() {
            list();
            answer(page("a", "null"));
            list();

            assertThat(lists.told).hasSize(2);
            assertThat(bench.connection().requests()).hasSize(1);
        }

        @Test
        void listingAfterAFailureIsSentAgain() {
            list();
            bench.connection().end(Closed.disconnected("gone"));
            assertThat(lists.failures).hasSize(1);
            bench.time.advance(Duration.ofSeconds(1));

            list();
            answer(page("a", "null"));

            assertThat(lists.told).containsExactly(List.of("a"));
        }
    }

    @Nested
    class Changes {
        private final Notification changed = Notification.of(Methods.TOOLS_LIST_CHANGED);
        private int answered = 1;

        @Test
        void changedToolsAreListedAndPublishedWithTheirDifference() {
            listed("a");
            bench.connection().receive(changed);
            answer(
                    "{\"tools\":[{\"name\":\"b\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"c\",\"inputSchema\":{\"type\":\"object\"}}]}");

            assertThat(bench.toolChanges).hasValue(1);
            assertThat(bench.heard)
                    .last()
                    .isEqualTo(new BridgeEvent.ToolsRefreshed(
                            OneServer.NAME, "list-tools-2", List.of("b", "c"), List.of("a"), 0));
        }

        @Test
        void changeWithoutEffectIsNotReported() {
            listed("a");
            bench.connection().receive(changed);
            answer(page("a", "null"));

            assertThat(bench.toolChanges).hasValue(0);
        }

        @Test
        void twoChangesThatCancelOutAreReportedOnce() {
            listed("a");
            bench.connection().receive(changed);
            bench.connection().receive(changed);
            answer(page("a", "null"));
            bench.time.advance(Duration.ofSeconds(1));
            answer(page("a", "null"));

            assertThat(bench.toolChanges).hasValue(1);
        }

        @Test
        void changeDuringAListingCausesAnother() {
            list();
            bench.connection().receive(changed);
            answer(page("a", "null"));

            answer(
                    "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"b\",\"inputSchema\":{\"type\":\"object\"}}]}");

            assertThat(bench.toolChanges).hasValue(1);
            assertThat(bench.route.tools().find("b")).isPresent();
        }

        @Test
        void changeDuringAPublicationCausesAnotherListing() {
            bench.events.subscribe(event -> {
                if (event instanceof BridgeEvent.ToolsDiscovered) {
                    bench.connection().receive(changed);
                }
            });
            listed("a");

            answer(
                    "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"b\",\"inputSchema\":{\"type\":\"object\"}}]}");

            assertThat(bench.route.tools().find("b")).isPresent();
            assertThat(bench.toolChanges).hasValue(1);
        }

        @Test
        void continuousChangesAreListedWithGrowingDelays() {
            listed("a");

            sendChanges(Duration.ofMinutes(1));

            assertThat(bench.connection().requests()).hasSizeBetween(10, 15);
            assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.DEGRADED);
            assertThat(bench.upstream().status().remarks())
                    .containsExactly("server 'tools' says again and again that its tools have changed; they are listed"
                            + " again after pauses of up to 10 s");
        }

        @Test
        void changeAfterAQuietPeriodIsListedAtOnce() {
            listed("a");
            sendChanges(Duration.ofMinutes(1));
            bench.time.advance(Duration.ofMinutes(1));
            answer(page("a", "null"));
            bench.time.advance(Duration.ofMinutes(1));
            assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.HEALTHY);
            assertThat(bench.upstream().status().remarks()).isEmpty();
            var before = bench.connection().requests().size();

            bench.connection().receive(changed);

            assertThat(bench.connection().requests()).hasSize(before + 1);
        }

        /** The server says with each listing that there is something new. */
        private void sendChanges(Duration span) {
            for (var left = span; !left.isZero(); left = left.minusMillis(50)) {
                bench.connection().receive(changed);
                var asked = bench.connection().requests().size();
                if (asked > answered) {
                    answered = asked;
                    bench.connection().receive(changed);
                    answer(page("a", "null"));
                }
                bench.time.advance(Duration.ofMillis(50));
            }
        }

        @Test
        void changeBeforeTheFirstListingIsIgnored() {
            bench.send();
            bench.connection().receive(changed);

            assertThat(bench.connection().requests()).hasSize(1);
        }

        @Test
        void changeAcrossARestartIsReportedOnce() {
            listed("a");
            bench.connection().end(Closed.exited(1, ""));
            bench.time.advance(Duration.ofSeconds(1));
            bench.send();
            answer(
                    1,
                    "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"b\",\"inputSchema\":{\"type\":\"object\"}}]}");

            assertThat(bench.toolChanges).hasValue(1);
            assertThat(bench.heard.stream().map(BridgeEvent::topic))
                    .containsExactly(
                            "provider.mcp.tools.discovered",
                            "provider.mcp.disconnected",
                            "provider.mcp.tools.refreshed",
                            "provider.mcp.reconnected");
        }

        private void listed(String tool) {
            list();
            answer(page(tool, "null"));
        }
    }

    @Test
    void toolsKeepTheOrderOfTheServer() {
        list();
        answer(pageOf("zip", "add", "mul"));
        bench.connection().receive(Notification.of(Methods.TOOLS_LIST_CHANGED));
        answer(pageOf("mul", "zip", "sub"));
        list();

        assertThat(lists.told).containsExactly(List.of("zip", "add", "mul"), List.of("mul", "zip", "sub"));
    }

    @Test
    void firstListingIsADiscovery() {
        list();
        answer(
                "{\"tools\":[{\"name\":\"b\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}}]}");

        assertThat(bench.heard)
                .containsExactly(new BridgeEvent.ToolsDiscovered(OneServer.NAME, "list-tools-1", 2, List.of("b", "a")));
    }

    @Test
    void closedServerKeepsTheToolsOfItsSuccessor() {
        list();
        answer(page("a", "null"));
        bench.catalog.update(OneServer.NAME, List.of(ToolDefinition.parse("{\"name\":\"successors\"}")));

        bench.close();

        assertThat(bench.catalog.snapshot().find(OneServer.NAME, "successors")).isPresent();
    }

    @Test
    void listDoesNotExpireByDefault() {
        list();
        answer(page("a", "null"));
        bench.time.advance(Duration.ofDays(1));

        list();

        assertThat(lists.told).hasSize(2);
    }

    private void list() {
        bench.route.tools().list(OneServer.client("alice"), lists);
    }

    private void answer(String result) {
        bench.connection().answer(bench.connection().last(), result);
    }

    /** Answers the last listing but leaves out so many requests of another kind behind it. */
    private void answer(int behind, String result) {
        var requests = bench.connection().requests();
        bench.connection().answer(requests.get(requests.size() - 1 - behind), result);
    }

    private static String pageOf(String... tools) {
        return Stream.of(tools)
                .map("{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}"::formatted)
                .collect(Collectors.joining(",", "{\"tools\":[", "]}"));
    }

    private static String page(String tool, String cursor) {
        return "{\"tools\":[{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}],\"nextCursor\":%s}"
                .formatted(tool, cursor);
    }

    private static String cursor(Outgoing out) {
        return out.message().raw(MessageField.CURSOR).orElse("");
    }
}
