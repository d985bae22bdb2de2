package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Processes of calls where tools must be approved before they are called. */
class IsolatedToolsTest {
    private final IsolatedServer bench = new IsolatedServer();
    private final Set<Object> answered = new HashSet<>();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void processListsItsToolsBeforeItGetsACall() {
        bench.use(OneServer.strict(IsolatedServer.section(Map.of("pool", Map.of("warm", 1)))));
        var reply = bench.send();

        answerLists(IsolatedServer.LISTED);

        var called = called();
        called.answer(called.last(), IsolatedServer.DONE);
        assertThat(reply.awaitAnswer().isError()).isFalse();
    }

    @Test
    void processWithAChangedDefinitionDoesNotGetTheCall() {
        bench.use(OneServer.strict(IsolatedServer.section(Map.of("pool", Map.of("warm", 1)))));
        var reply = bench.send();
        bench.session(0).answer(bench.session(0).last(), IsolatedServer.LISTED);

        answerLists(IsolatedServer.LISTED.replace("echo\"", "echo\",\"description\":\"and more\""));

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.TOOL_NOT_ADMITTED);
        assertThat(reply.awaitFailure().message()).contains("lists the tool 'echo' otherwise");
        assertThat(bench.one().server.connections()).noneMatch(each -> has(each, Methods.TOOLS_CALL));
    }

    @Test
    void processThatReportsChangedToolsDoesNotGetTheCall() {
        bench.use(OneServer.strict(IsolatedServer.section(Map.of("pool", Map.of("warm", 1)))));
        bench.list();
        answerLists(IsolatedServer.LISTED);

        bench.session(1).receive(Notification.of(Methods.TOOLS_LIST_CHANGED));

        var reply = bench.send();
        answerLists(IsolatedServer.LISTED);
        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.TOOL_NOT_ADMITTED);
    }

    @Test
    void processWithACyclicToolListIsKilledBeforeItIsReplaced() {
        bench.use(OneServer.strict(IsolatedServer.section(Map.of("pool", Map.of("warm", 1, "max", 1)))));
        var reply = bench.send();
        bench.session(0).answer(bench.session(0).last(), IsolatedServer.LISTED);
        var circle = IsolatedServer.LISTED.replace("]}", "],\"nextCursor\":\"on\"}");
        bench.session(1).whileClosing(this::assertNoOtherIsStarted);

        bench.session(1).answer(bench.session(1).last(), circle);
        bench.session(1).answer(bench.session(1).last(), circle);

        assertThat(reply.awaitFailure().message()).contains("its list of tools never ends");
        assertThat(bench.session(1).isKilled()).isTrue();
        assertThat(bench.sessions()).isEqualTo(3);
    }

    @Test
    void repeatedFirstPageAfterAnEmptyCursorEndsTheList() {
        bench.use(OneServer.strict(IsolatedServer.section(Map.of("pool", Map.of("warm", 0, "max", 1)))));
        var reply = bench.send();
        bench.session(0).answer(bench.session(0).last(), IsolatedServer.LISTED);
        var page = IsolatedServer.LISTED.replace("]}", "],\"nextCursor\":\"\"}");

        bench.session(1).answer(bench.session(1).last(), page);
        bench.session(1).answer(bench.session(1).last(), page);

        bench.session(1).answer(bench.session(1).last(), IsolatedServer.DONE);
        assertThat(reply.awaitAnswer().isError()).isFalse();
    }

    /** Though it is time for another try. */
    private void assertNoOtherIsStarted() {
        bench.one().time.advance(Duration.ofSeconds(5));
        assertThat(bench.sessions()).isEqualTo(2);
    }

    @Test
    void allPagesOfAProcessShareOneTimeout() {
        bench.use(OneServer.strict(IsolatedServer.section(Map.of("pool", Map.of("warm", 0, "max", 1)))));
        var reply = bench.send();
        bench.session(0).answer(bench.session(0).last(), IsolatedServer.LISTED);
        bench.one().time.advance(OneServer.TIMEOUT.minusSeconds(1));
        bench.session(1)
                .answer(bench.session(1).last(), IsolatedServer.LISTED.replace("]}", "],\"nextCursor\":\"on\"}"));

        bench.one().time.advance(Duration.ofSeconds(1));

        assertThat(bench.session(1).isKilled()).isTrue();
        assertThat(reply.isDone()).isTrue();
    }

    @Test
    void toolListOfAProcessIsLimitedLikeThatOfTheServer() {
        bench.use(
                OneServer.strict(IsolatedServer.section(Map.of("list-items", 1, "pool", Map.of("warm", 0, "max", 1)))));
        var reply = bench.send();
        bench.session(0).answer(bench.session(0).last(), IsolatedServer.LISTED);

        bench.session(1)
                .answer(
                        bench.session(1).last(),
                        IsolatedServer.LISTED.replace(
                                "]}", ",{\"name\":\"more\",\"inputSchema\":{}}],\"nextCursor\":\"on\"}"));

        assertThat(has(bench.session(1), Methods.TOOLS_CALL)).isTrue();
        bench.session(1).answer(bench.session(1).last(), IsolatedServer.DONE);
        assertThat(reply.awaitAnswer().isError()).isFalse();
    }

    /** Answers the pending requests and those that follow. */
    private void answerLists(String listed) {
        for (int i = 0; i < 4; i++) {
            bench.one().server.connections().stream()
                    .filter(each -> !each.isClosed() && !each.requests().isEmpty() && isListRequested(each))
                    .toList()
                    .forEach(each -> each.answer(each.last(), listed));
        }
    }

    private boolean isListRequested(HeldTransport each) {
        return isOf(each.last().message(), Methods.TOOLS_LIST) && answered.add(each.last());
    }

    private HeldTransport called() {
        return bench.one().server.connections().stream()
                .filter(each -> has(each, Methods.TOOLS_CALL))
                .findFirst()
                .orElseThrow();
    }

    private static boolean has(HeldTransport transport, String method) {
        return transport.requests().stream().anyMatch(out -> isOf(out.message(), method));
    }

    private static boolean isOf(Object message, String method) {
        return message instanceof Request request && request.method().equals(method);
    }
}
