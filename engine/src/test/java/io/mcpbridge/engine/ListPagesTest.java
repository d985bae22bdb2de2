package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Principal;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long merged lists come in pages, and a cursor leads on from where it was given or nowhere. */
class ListPagesTest {
    private final ManyServers bench = new ManyServers(ToolNaming.PREFIX, "a", "b");

    @BeforeEach
    void listMuch() {
        bench.lists("a", ListKind.RESOURCES, uris("a", 900));
        bench.lists("b", ListKind.RESOURCES, uris("b", 900));
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void pagesContainEachItemOnceAndInOrder() {
        var seen = new ArrayList<String>();
        var pages = 0;
        var params = "{}";
        while (!params.isEmpty()) {
            var page = ask(params);
            seen.addAll(uris(page));
            pages++;
            params = page.text(MessageField.NEXT_CURSOR)
                    .map(ListPagesTest::after)
                    .orElse("");
        }

        assertThat(pages).isEqualTo(2);
        assertThat(seen).hasSize(1_800).doesNotHaveDuplicates();
        assertThat(seen).first().isEqualTo("a:0000");
        assertThat(seen).last().isEqualTo("b:0899");
    }

    @Test
    void pageHoldsAtMostOneMebibyte() {
        bench.lists("a", ListKind.PROMPTS, "x".repeat(700_000), "y".repeat(700_000));

        var first = bench.ask(Methods.PROMPTS_LIST, "{}").awaitAnswer();

        assertThat(first.length()).isBetween(700_000, 1 << 20);
        assertThat(first.has(MessageField.NEXT_CURSOR)).isTrue();
    }

    @Test
    void lastPageHasNoCursor() {
        bench.lists("a", ListKind.PROMPTS, uris("p", 1_000));

        assertThat(bench.ask(Methods.PROMPTS_LIST, "{}").awaitAnswer().has(MessageField.NEXT_CURSOR))
                .isFalse();
    }

    @Nested
    class Cursors {
        @ParameterizedTest(name = "\"{0}\"")
        @ValueSource(strings = {"", "2", "mcpb1.", "mcpb1.00000000.AAAA"})
        void foreignCursorIsRejected(String cursor) {
            assertRefused(ListPagesTest.this.refused(after(cursor)));
        }

        @Test
        void tamperedCursorIsRejected() {
            var cursor = firstCursor();
            var middle = cursor.length() / 2;
            var other = cursor.charAt(middle) == 'A' ? 'B' : 'A';

            assertRefused(refused(after(cursor.substring(0, middle) + other + cursor.substring(middle + 1))));
        }

        @Test
        void cursorOfAnotherUserIsRejected() {
            var bob = Caller.ANONYMOUS.withPrincipal(new Principal("bob", "token"));
            var reply = bench.ask(bob, Methods.RESOURCES_LIST, after(firstCursor()));

            assertRefused(reply.awaitFailure().message());
        }

        @Test
        void cursorOfAnotherListIsRejected() {
            var reply = bench.ask(Methods.PROMPTS_LIST, after(firstCursor()));

            assertRefused(reply.awaitFailure().message());
        }

        @Test
        void cursorIsRejectedIfAnEarlierPageChanged() {
            var cursor = firstCursor();
            bench.lists("a", ListKind.RESOURCES, uris("a", 899));
            bench.server("a").receive(Notification.of(Methods.RESOURCES_LIST_CHANGED));

            assertThat(refused(after(cursor)))
                    .isEqualTo("the list of resources has changed since the cursor was given; begin again without one");
        }

        @Test
        void cursorStaysValidIfOnlyLaterPagesChanged() {
            var cursor = firstCursor();
            bench.lists("b", ListKind.RESOURCES, uris("b", 101));
            bench.server("b").receive(Notification.of(Methods.RESOURCES_LIST_CHANGED));

            assertThat(uris(ask(after(cursor)))).containsExactly("b:0100");
        }

        private void assertRefused(String message) {
            assertThat(message).contains("is none of this list for this user");
        }
    }

    private String firstCursor() {
        return ask("{}").text(MessageField.NEXT_CURSOR).orElseThrow();
    }

    private Response ask(String params) {
        return bench.ask(Methods.RESOURCES_LIST, params).awaitAnswer();
    }

    private String refused(String params) {
        var failure = bench.ask(Methods.RESOURCES_LIST, params).awaitFailure();
        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS);
        return failure.message();
    }

    private static String after(String cursor) {
        return "{\"cursor\":" + JsonStrings.quote(cursor) + "}";
    }

    private static String[] uris(String scheme, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "%s:%04d".formatted(scheme, i))
                .toArray(String[]::new);
    }

    private static List<String> uris(Response page) {
        var found = new ArrayList<String>();
        var matcher = Pattern.compile("\"uri\":\"([^\"]*)\"").matcher(page.json());
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }
}
