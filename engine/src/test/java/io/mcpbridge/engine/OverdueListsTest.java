package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Principal;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.upstream.UpstreamStatus;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connected server that delivers no list delays clients once, and operators see why. */
@Timeout(60)
class OverdueListsTest {
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);
    private static final String TOOL = "{\"tools\":[{\"name\":\"late\",\"inputSchema\":{\"type\":\"object\"}}]}";

    private final ManyServers bench = new ManyServers(ToolNaming.PREFIX, "good", "mute");

    @BeforeEach
    void listOnTheGoodOne() {
        bench.lists("good", ListKind.TOOLS, "one");
        bench.silent("mute");
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void overdueListDelaysClientsOnce() {
        var first = bench.ask(Methods.TOOLS_LIST, "{}");
        bench.time.advance(MAX_WAIT);
        assertThat(first.awaitAnswer().raw(MessageField.RESULT).orElse("")).contains("good__one");

        assertThat(bench.result(Methods.TOOLS_LIST, "{}")).contains("good__one");
        assertThat(status().state()).isEqualTo(UpstreamStatus.State.DEGRADED);
        assertThat(status().error()).startsWith("its list of tools has not come for 10 s");
        assertThat(listings()).isEqualTo(1);
    }

    @Test
    void serverThatHangsAtItsHandshakeDelaysClientsOnce() {
        bench.holdHandshakes("mute");
        var first = bench.ask(Methods.TOOLS_LIST, "{}");
        bench.time.advance(MAX_WAIT);
        assertThat(first.awaitAnswer().raw(MessageField.RESULT).orElse("")).contains("good__one");

        assertThat(bench.result(Methods.TOOLS_LIST, "{}")).contains("good__one");
        assertThat(bench.result(Methods.PROMPTS_LIST, "{}")).contains("\"prompts\":[]");
        bench.time.advance(OneServer.TIMEOUT);
        bench.time.advance(Duration.ofMinutes(1));
        assertThat(bench.result(Methods.TOOLS_LIST, "{}")).contains("good__one");

        var welcome = HeldTransport.WELCOME.replace("{\"tools\":{}}", ManyServers.EVERYTHING);
        bench.server("mute").answer(bench.server("mute").handshake(), welcome);
        bench.answer("mute", TOOL);
        assertThat(bench.changes).contains("notifications/tools/list_changed");
        assertThat(bench.result(Methods.TOOLS_LIST, "{}")).contains("mute__late");
        var prompts = bench.ask(Methods.PROMPTS_LIST, "{}");
        assertThat(prompts.isDone()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void lateListIsLoggedOnce(boolean connects) {
        if (!connects) {
            bench.holdHandshakes("mute");
        }
        bench.ask(Methods.TOOLS_LIST, "{}");
        bench.time.advance(MAX_WAIT);
        bench.ask(Methods.TOOLS_LIST, "{}");
        bench.time.advance(OneServer.TIMEOUT);
        bench.ask(Methods.TOOLS_LIST, "{}");

        assertThat(bench.log.lines().stream().filter(line -> line.contains("the tools of server 'mute'")))
                .singleElement()
                .asString()
                .contains("clients are notified when it does");
    }

    @Test
    void serverThatHangsAtItsHandshakeDelaysNoFurtherPage() {
        bench.add("more", ManyServers.EVERYTHING, Map.of());
        for (var server : List.of("good", "more")) {
            bench.lists(
                    server,
                    ListKind.TOOLS,
                    IntStream.range(0, 600).mapToObj(i -> "t" + i).toArray(String[]::new));
        }
        bench.holdHandshakes("mute");
        var first = bench.ask(Methods.TOOLS_LIST, "{}");
        bench.time.advance(MAX_WAIT);
        var result = first.awaitAnswer().raw(MessageField.RESULT).orElse("");
        var cursor = result.substring(result.indexOf("\"nextCursor\":")).replace("nextCursor", "cursor");

        assertThat(bench.result(Methods.TOOLS_LIST, "{" + cursor)).contains("more__t599");
    }

    @Test
    void ownerOfAResourceMayBeAServerThatIsLateToConnect() {
        bench.holdHandshakes("mute");
        bench.ask(Methods.RESOURCES_LIST, "{}");
        bench.time.advance(MAX_WAIT);
        assertThat(bench.ask(Methods.RESOURCES_LIST, "{}").isDone()).isTrue();

        assertThat(bench.ask(Methods.RESOURCES_READ, "{\"uri\":\"x:late\"}").isDone())
                .isFalse();
    }

    @Test
    void handshakeThatHangsForOneUserMakesAnotherUserWait() {
        bench.add("own", ManyServers.EVERYTHING, Map.of("shared", false));
        bench.holdHandshakes("own");
        bench.silent("own");
        bench.ask(Methods.TOOLS_LIST, "{}");
        bench.answer("mute", TOOL);
        bench.time.advance(MAX_WAIT);
        assertThat(bench.ask(Methods.TOOLS_LIST, "{}").isDone()).isTrue();

        var other = bench.ask(Caller.ANONYMOUS.withPrincipal(new Principal("bob", "token")), Methods.TOOLS_LIST, "{}");

        assertThat(other.isDone()).isFalse();
        bench.time.advance(MAX_WAIT);
        assertThat(other.isDone()).isTrue();
    }

    @Test
    void overdueListIsRequestedAgainWithGrowingDelays() {
        bench.ask(Methods.TOOLS_LIST, "{}");
        bench.time.advance(OneServer.TIMEOUT);

        bench.time.advance(Duration.ofSeconds(2));
        assertThat(listings()).isEqualTo(2);
        bench.time.advance(OneServer.TIMEOUT);
        bench.time.advance(Duration.ofSeconds(3));
        assertThat(listings()).isEqualTo(2);
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(listings()).isEqualTo(3);
        assertThat(bench.result(Methods.TOOLS_LIST, "{}")).contains("good__one");
    }

    @Test
    void delayDoesNotGrowWithTheNumberOfWaitingClients() {
        bench.ask(Methods.TOOLS_LIST, "{}");
        bench.ask(Methods.TOOLS_LIST, "{}");
        bench.time.advance(MAX_WAIT);
        bench.time.advance(OneServer.TIMEOUT.minus(MAX_WAIT));

        bench.time.advance(Duration.ofSeconds(2));

        assertThat(listings()).isEqualTo(2);
    }

    @Test
    void lateListIsReportedToClientsAndTheServerIsHealthy() {
        bench.ask(Methods.TOOLS_LIST, "{}");
        bench.time.advance(MAX_WAIT);

        bench.answer("mute", TOOL);

        assertThat(bench.changes).contains("notifications/tools/list_changed");
        assertThat(bench.result(Methods.TOOLS_LIST, "{}")).contains("mute__late");
        assertThat(status().state()).isEqualTo(UpstreamStatus.State.HEALTHY);
    }

    @Test
    void listThatRacesWithItsTimeoutLeavesTheServerHealthy() {
        bench.ask(Methods.TOOLS_LIST, "{}");
        bench.events.subscribe(event -> bench.time.advance(MAX_WAIT));

        bench.answer("mute", TOOL);

        assertThat(bench.result(Methods.TOOLS_LIST, "{}")).contains("mute__late");
        assertThat(status().state()).isEqualTo(UpstreamStatus.State.HEALTHY);
    }

    @Test
    void failedListingForAnUnknownToolDegradesTheServerForAMoment() {
        bench.ask(Methods.TOOLS_LIST, "{}");
        bench.answer("mute", TOOL);
        bench.time.advance(Duration.ofSeconds(2));
        bench.ask(Methods.TOOLS_CALL, "{\"name\":\"mute__any\"}");
        bench.time.advance(OneServer.TIMEOUT);
        assertThat(status().state()).isEqualTo(UpstreamStatus.State.DEGRADED);

        bench.time.advance(Duration.ofSeconds(1));

        assertThat(status().state()).isEqualTo(UpstreamStatus.State.HEALTHY);
    }

    @Test
    void callOfAnUnknownToolIsNotDelayedAgain() {
        bench.ask(Methods.TOOLS_LIST, "{}");
        bench.time.advance(MAX_WAIT);

        bench.ask(Methods.TOOLS_CALL, "{\"name\":\"mute__any\"}");

        var last = (Request) bench.server("mute").last().message();
        assertThat(last.method()).isEqualTo(Methods.TOOLS_CALL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"prompts\":[]}", "{\"tools\":null}", "{\"tools\":{}}", "null"})
    void malformedListDegradesTheServerUntilTheNextList(String result) {
        bench.ask(Methods.TOOLS_LIST, "{}");
        bench.answer("mute", result);
        assertThat(status().state()).isEqualTo(UpstreamStatus.State.DEGRADED);
        assertThat(status().error()).contains("its tools are missing from the list", "broke the protocol");

        bench.ask(Methods.TOOLS_LIST, "{}");
        bench.answer("mute", TOOL);

        assertThat(status().state()).isEqualTo(UpstreamStatus.State.HEALTHY);
        assertThat(status().remarks()).isEmpty();
    }

    @Test
    void toolsWithInvalidNamesAreCountedInTheLog() {
        bench.lists(
                "good",
                ListKind.TOOLS,
                IntStream.range(0, 900).mapToObj(i -> "no good " + i).toArray(String[]::new));

        bench.ask(Methods.TOOLS_LIST, "{}");
        bench.answer("mute", TOOL);

        assertThat(bench.log.lines().stream().filter(line -> line.contains("not listed")))
                .hasSize(11)
                .last()
                .asString()
                .contains("and 890 more");
    }

    private UpstreamStatus status() {
        return bench.route("mute").upstream().status();
    }

    private long listings() {
        return bench.server("mute").requests().stream()
                .filter(out -> ((Request) out.message()).method().equals(Methods.TOOLS_LIST))
                .count();
    }
}
