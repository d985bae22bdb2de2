package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Closed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The lists of a server that does not report changes are requested again after {@code list-ttl}. */
@Timeout(60)
class ListsWithoutAWordTest {
    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Notification CHANGED = Notification.of(Methods.TOOLS_LIST_CHANGED);

    private final OneServer bench = OneServer.with(Map.of("list-ttl", "5s"));
    private final Lists lists = new Lists();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void legacyServerIsListedAgainAfterTheTtl() {
        list();
        answerList("one");

        bench.time.advance(TTL.minusMillis(1));
        assertThat(asked()).isEqualTo(1);
        bench.time.advance(Duration.ofMillis(1));
        answerList("two");

        assertThat(asked()).isEqualTo(2);
        list();
        assertThat(lists.told).containsExactly(List.of("one"), List.of("two"));
    }

    @Test
    void refreshKeepsOneAlarm() {
        list();
        answerList("one");
        var alarms = bench.time.pendingAlarms();

        for (int i = 0; i < 3; i++) {
            bench.time.advance(TTL);
            answerList("one");
        }
        assertThat(asked()).isEqualTo(4);
        for (int i = 0; i < 3; i++) {
            bench.time.advance(Duration.ofSeconds(1));
            bench.connection().receive(CHANGED);
            answerList("one");
        }

        assertThat(asked()).isEqualTo(7);
        assertThat(bench.time.pendingAlarms()).isEqualTo(alarms);
        assertThat(lists.told).hasSize(1);
    }

    @Test
    void closedServerLeavesNoAlarm() {
        list();
        answerList("one");
        bench.connection().receive(CHANGED);
        answerList("two");
        bench.connection().receive(CHANGED);

        bench.close();

        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void failedRefreshIsRepeatedAfterTheNextTtl() {
        list();
        answerList("one");
        bench.time.advance(TTL);
        bench.time.advance(OneServer.TIMEOUT);

        bench.time.advance(TTL);
        answerList("two");

        list();
        assertThat(lists.told).containsExactly(List.of("one"), List.of("two"));
    }

    @Test
    void k6MalformedListKeepsThePreviousOne() {
        list();
        answerList("one");
        bench.time.advance(TTL);
        bench.connection().answer(bench.connection().last(), "{}");

        list();
        bench.connection().answer(bench.connection().last(), "{}");

        assertThat(lists.told).containsExactly(List.of("one"), List.of("one"));
        assertThat(bench.upstream().status().error())
                .contains("its tools are missing", "'tools' is missing but must be");
    }

    @Test
    void disconnectedServerIsNotRefreshed() {
        list();
        answerList("one");
        var lost = bench.connection();
        lost.end(Closed.disconnected("it is gone"));

        bench.time.advance(TTL.multipliedBy(3));

        assertThat(lost.requests()).hasSize(1);
    }

    @Test
    void shorterTtlOfAModernServerApplies() {
        bench.server.modern();
        list();
        bench.connection()
                .answer(
                        bench.connection().last(),
                        "{\"resultType\":\"complete\",\"tools\":[],\"ttlMs\":1000,\"cacheScope\":\"public\"}");
        bench.time.advance(Duration.ofSeconds(1));

        list();

        assertThat(asked()).isEqualTo(2);
    }

    private void list() {
        bench.route.tools().list(OneServer.client("alice"), lists);
    }

    private void answerList(String tool) {
        var list = "{\"tools\":[{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}]}".formatted(tool);
        bench.connection().answer(bench.connection().last(), list);
    }

    private int asked() {
        return bench.connection().requests().size();
    }
}
