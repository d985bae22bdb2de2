package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.BridgeLimits;
import io.mcpbridge.spi.ByteBudget;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A call of a tool that is not listed makes its server list once, and is decided then. */
class UnlistedToolTest {
    private final ManyServers bench = new ManyServers(ToolNaming.PREFIX, "a", "b");

    UnlistedToolTest() {
        bench.lists("a", ListKind.TOOLS, "old");
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void newToolIsFoundAndCalled() {
        bench.result(Methods.TOOLS_LIST, "{}");
        bench.lists("a", ListKind.TOOLS, "new", "old");

        var reply = call("a__new");

        bench.answer("a", "{\"content\":[]}");
        assertThat(reply.awaitAnswer().isError()).isFalse();
        assertThat(asked("a", Methods.TOOLS_LIST)).isEqualTo(2);
        assertThat(asked("b", Methods.TOOLS_LIST)).isEqualTo(1);
    }

    @Test
    void unknownToolIsRejectedAndNothingIsSent() {
        assertThat(call("a__none").awaitFailure())
                .returns(ErrorCode.INVALID_PARAMS, failure -> failure.code())
                .returns("Unknown tool: a__none", failure -> failure.message());
        assertThat(asked("a", Methods.TOOLS_CALL)).isZero();
        assertThat(asked("a", Methods.TOOLS_LIST)).isEqualTo(1);
    }

    @Test
    void serverIsNotListedAgainAtOnce() {
        for (int i = 0; i < 20; i++) {
            assertThat(call("a__none" + i).isDone()).isTrue();
        }
        assertThat(asked("a", Methods.TOOLS_LIST)).isEqualTo(1);

        bench.time.advance(Duration.ofSeconds(2));
        assertThat(call("a__none").isDone()).isTrue();
        assertThat(call("a__none").isDone()).isTrue();

        assertThat(asked("a", Methods.TOOLS_LIST)).isEqualTo(2);
    }

    @Test
    void concurrentCallsWaitForTheSameListing() {
        var first = bench.send(Methods.TOOLS_CALL, "{\"name\":\"a__x\"}");
        var second = bench.send(Methods.TOOLS_CALL, "{\"name\":\"a__old\"}");
        assertThat(first.isDone() || second.isDone()).isFalse();

        bench.settle();

        assertThat(first.awaitFailure().code()).isEqualTo(ErrorCode.INVALID_PARAMS);
        bench.answer("a", "{\"content\":[]}");
        assertThat(second.awaitAnswer().isError()).isFalse();
        assertThat(asked("a", Methods.TOOLS_LIST)).isEqualTo(1);
    }

    @Test
    void callIsForwardedIfTheServerCannotList() {
        bench.silent("a");
        var reply = bench.send(Methods.TOOLS_CALL, "{\"name\":\"a__hidden\"}");
        var listing = bench.server("a").last();

        bench.server("a").receive(Response.error(((Request) listing.message()).id(), -32601, "tools/list is unknown"));

        bench.answer("a", "{\"content\":[]}");
        assertThat(reply.awaitAnswer().isError()).isFalse();
    }

    @Test
    void callIsForwardedIfTheListingTimesOut() {
        bench.silent("a");
        var reply = bench.send(Methods.TOOLS_CALL, "{\"name\":\"a__hidden\"}");
        assertThat(asked("a", Methods.TOOLS_CALL)).isZero();

        bench.time.advance(Duration.ofSeconds(10));

        bench.answer("a", "{\"content\":[]}");
        assertThat(reply.awaitAnswer().isError()).isFalse();
    }

    @Test
    void callsWaitingForAListingCountAgainstTheQueueLimit() {
        try (var narrow = new ManyServers(
                new BridgeLimits(Limits.CLIENT, Limits.SERVER, 2, 64, 1_024, 1_024, ByteBudget.ofHeap()),
                ToolNaming.PREFIX,
                "a")) {
            // The listing that no caller has read yet has a place too.
            narrow.silent("a");
            var waits = narrow.send(Methods.TOOLS_CALL, "{\"name\":\"a__x\"}");

            var oneTooMany = narrow.send(Methods.TOOLS_CALL, "{\"name\":\"a__x\"}");

            assertThat(waits.isDone()).isFalse();
            assertThat(oneTooMany.awaitFailure().code()).isEqualTo(ErrorCode.OVERLOADED);
        }
    }

    @Test
    void plainNameIsLookedUpAtAllServers() {
        try (var plain = new ManyServers(ToolNaming.PLAIN, "a", "b")) {
            plain.result(Methods.TOOLS_LIST, "{}");
            plain.lists("b", ListKind.TOOLS, "new");

            var reply = plain.ask(Methods.TOOLS_CALL, "{\"name\":\"new\"}");
            assertThat(plain.ask(Methods.TOOLS_CALL, "{\"name\":\"none\"}")
                            .awaitFailure()
                            .message())
                    .isEqualTo("Unknown tool: none");

            plain.answer("b", "{\"content\":[]}");
            assertThat(reply.awaitAnswer().isError()).isFalse();
            assertThat(plain.server("a").requests()).hasSize(2);
        }
    }

    private RecordingReply call(String tool) {
        return bench.ask(Methods.TOOLS_CALL, "{\"name\":\"%s\"}".formatted(tool));
    }

    private long asked(String server, String method) {
        return bench.server(server).messages().stream()
                .filter(message -> isOf(message, method))
                .count();
    }

    private static boolean isOf(Message message, String method) {
        return message instanceof Request request && request.method().equals(method) && request.has(MessageField.ID);
    }
}
