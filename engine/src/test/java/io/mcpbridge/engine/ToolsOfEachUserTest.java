package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Closed;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where users have sessions of their own, each sees what the server listed for them and nothing else. */
class ToolsOfEachUserTest {
    private final OneServer bench = OneServer.unshared();
    private final Caller alice = user("alice");
    private final Caller bob = user("bob");
    private final Lists alices = new Lists();
    private final Lists bobs = new Lists();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void toolsAreListedPerUser() {
        bothListed();

        bench.route.tools().list(alice, alices);

        assertThat(alices.told).containsExactly(List.of("hers"), List.of("hers"));
        assertThat(bobs.told).containsExactly(List.of("his"));
        assertThat(bench.route.tools().find(alice, "his")).isEmpty();
    }

    @Test
    void toolsAreListedPerUserConcurrently() {
        bench.route.tools().list(alice, alices);
        var first = bench.connection();
        bench.route.tools().list(bob, bobs);
        answerList(bench.connection(), "his");
        answerList(first, "hers");

        assertThat(alices.told).containsExactly(List.of("hers"));
        assertThat(bobs.told).containsExactly(List.of("his"));
    }

    @Test
    void relistingDoesNotOpenTheSessionOfAnotherUser() {
        bothListed();
        bench.time.advance(Duration.ofSeconds(10));
        var connections = bench.server.connections();
        connections.get(1).end(Closed.exited(1, ""));

        connections.get(0).receive(Notification.of(Methods.TOOLS_LIST_CHANGED));
        answerList(connections.get(0), "hers_too");

        assertThat(bench.server.connections()).hasSize(2);
        assertThat(bench.route.tools().find(alice, "hers_too")).isPresent();
    }

    @Test
    void listsOfAllUsersAreClearedTogether() {
        bothListed();

        bench.close();
        bench.route.lists().clear();

        assertThat(bench.catalog.snapshot().tools()).isEmpty();
    }

    private void bothListed() {
        bench.route.tools().list(alice, alices);
        answerList(bench.connection(), "hers");
        bench.route.tools().list(bob, bobs);
        answerList(bench.connection(), "his");
    }

    private static void answerList(HeldTransport connection, String tool) {
        connection.answer(
                connection.last(),
                "{\"tools\":[{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}]}".formatted(tool));
    }

    private static Caller user(String name) {
        return Caller.ANONYMOUS.withPrincipal(new Principal(name, "token"));
    }
}
