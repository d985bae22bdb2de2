package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A modern server says how long what it lists holds, and whether all users may have it; they share one session. */
@Timeout(60)
class ListsThatExpireTest {
    private final OneServer bench = OneServer.reconnecting();
    private final Caller alice = user("alice");
    private final Caller bob = user("bob");
    private final Lists alices = new Lists();
    private final Lists bobs = new Lists();

    @BeforeEach
    void speakTheModernEra() {
        bench.server.modern();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void publicListIsServedToAllUsersUntilItExpires() {
        list(alice, alices);
        answerList("one", 5_000, "public");
        bench.time.advance(Duration.ofMillis(4_999));

        list(bob, bobs);

        assertThat(bobs.told).containsExactly(List.of("one"));
        assertThat(asked()).isEqualTo(1);
    }

    @Test
    void expiredListIsRequestedAgain() {
        list(alice, alices);
        answerList("one", 5_000, "public");
        bench.time.advance(Duration.ofSeconds(5));

        list(bob, bobs);
        answerList("two", 5_000, "public");

        assertThat(bobs.told).containsExactly(List.of("two"));
        assertThat(bench.changes).containsExactly(Methods.TOOLS_LIST_CHANGED);
    }

    @Test
    void listWithoutATtlIsNotReused() {
        list(alice, alices);
        bench.connection().answer(last(), "{\"tools\":[{\"name\":\"one\",\"inputSchema\":{\"type\":\"object\"}}]}");

        list(alice, alices);

        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void privateListIsNotServedToAnotherUser() {
        list(alice, alices);
        answerList("hers", 5_000, "private");

        list(bob, bobs);
        assertThat(bobs.told).isEmpty();
        answerList("his", 5_000, "private");
        list(alice, alices);

        assertThat(alices.told).containsExactly(List.of("hers"), List.of("hers"));
        assertThat(bobs.told).containsExactly(List.of("his"));
        assertThat(bench.route.tools().find(bob, "hers")).isEmpty();
        assertThat(bench.server.connections()).hasSize(1);
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void userWaitingForAPrivateListOfAnotherGetsItsOwn() {
        list(alice, alices);
        list(bob, bobs);
        assertThat(asked()).isEqualTo(1);

        answerList("hers", 0, "private");
        answerList("his", 0, "private");

        assertThat(alices.told).containsExactly(List.of("hers"));
        assertThat(bobs.told).containsExactly(List.of("his"));
    }

    @Test
    void listChangeInvalidatesTheListsOfAllUsers() {
        list(alice, alices);
        answerList("hers", 60_000, "private");
        list(bob, bobs);
        answerList("his", 60_000, "private");

        bench.route.lists().onNotification(alice, Notification.of(Methods.TOOLS_LIST_CHANGED));

        assertThat(asked()).isEqualTo(4);
    }

    @Test
    void failedListingServesTheLastList() {
        list(alice, alices);
        answerList("one", 0, "private");
        list(alice, alices);

        bench.connection().receive(Response.error(id(last()), -32603, "not now"));

        assertThat(alices.told).containsExactly(List.of("one"), List.of("one"));
    }

    @Test
    void lastListIsNotServedAfterTheServerIsLost() {
        list(alice, alices);
        answerList("one", 0, "private");
        bench.route.lists().onNotification(alice, Notification.of(Methods.TOOLS_LIST_CHANGED));

        list(alice, alices);
        bench.connection().end(Closed.exited(1, ""));

        assertThat(alices.told).hasSize(1);
        assertThat(alices.failures).hasSize(1);
    }

    @Test
    void shortestTtlOfAllPagesApplies() {
        list(alice, alices);
        bench.connection()
                .answer(
                        last(),
                        "{\"tools\":[{\"name\":\"one\",\"inputSchema\":{\"type\":\"object\"}}],\"nextCursor\":\"c\",\"ttlMs\":0,\"cacheScope\":\"public\"}");
        answerList("two", 5_000, "public");

        list(alice, alices);

        assertThat(alices.told).containsExactly(List.of("one", "two"));
        assertThat(asked()).isEqualTo(3);
    }

    @Test
    void cachedLookupAcceptsAnExpiredList() {
        list(alice, alices);
        answerList("one", 0, "private");

        bench.route.tools().listCached(alice, alices);

        assertThat(alices.told).containsExactly(List.of("one"), List.of("one"));
        assertThat(asked()).isEqualTo(1);
    }

    @Test
    void ttlAndScopeOfALegacyServerAreIgnored() {
        try (var legacy = OneServer.with(Map.of())) {
            legacy.route.tools().list(alice, alices);
            legacy.connection()
                    .answer(
                            legacy.connection().last(),
                            "{\"tools\":[{\"name\":\"one\",\"inputSchema\":{\"type\":\"object\"}}],\"ttlMs\":0,\"cacheScope\":\"private\"}");

            legacy.route.tools().list(bob, bobs);

            assertThat(bobs.told).containsExactly(List.of("one"));
        }
    }

    private void list(Caller caller, Lists lists) {
        bench.route.tools().list(caller, lists);
    }

    private void answerList(String tool, long millis, String scope) {
        var result =
                "{\"resultType\":\"complete\",\"tools\":[{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}],\"ttlMs\":%d,\"cacheScope\":\"%s\"}";
        bench.connection().answer(last(), result.formatted(tool, millis, scope));
    }

    private Outgoing last() {
        return bench.connection().last();
    }

    private int asked() {
        return bench.connection().requests().size();
    }

    private static MessageId id(Outgoing out) {
        return ((Request) out.message()).id();
    }

    private static Caller user(String name) {
        return Caller.ANONYMOUS.withPrincipal(new Principal(name, "token"));
    }
}
