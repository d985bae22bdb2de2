package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.TransportFailure;
import io.mcpbridge.testkit.HeldTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A server whose calls of tools have a session each, where the test says what its processes do. */
class IsolatedSessionsTest {
    private static final String DONE = "{\"content\":[]}";
    private static final String LISTED = "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}";

    private OneServer bench = isolated(Map.of("pool", Map.of("warm", 0, "max", 2)));

    private static Map<String, Object> section(Map<String, Object> more) {
        var section = new HashMap<String, Object>(Map.of("command", "alone", "isolation", "call"));
        section.putAll(more);
        return section;
    }

    private static OneServer isolated(Map<String, Object> more) {
        return OneServer.with(section(more));
    }

    private void use(OneServer other) {
        bench.close();
        bench = other;
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private HeldTransport session(int number) {
        return bench.server.connections().get(number);
    }

    private int sessions() {
        return bench.server.connections().size();
    }

    private String reading(String name) {
        return bench.upstream().readings().stream()
                .filter(each -> each.name().equals(name))
                .map(Reading::words)
                .findFirst()
                .orElseThrow();
    }

    private Call call(String params) {
        return bench.call(Methods.TOOLS_CALL, params, OneServer.client("alice"));
    }

    /** Opens the session that is there for everything else. */
    private void list() {
        bench.send(bench.call(Methods.TOOLS_LIST, "{}", OneServer.client("alice")));
        session(0).answer(session(0).last(), LISTED);
    }

    @Test
    void aSessionEndsAfterItsCallWhichWasToldBefore() {
        var reply = bench.send();
        session(0).whileClosing(() -> assertThat(reply.isDone()).isTrue());

        session(0).answer(session(0).last(), DONE);

        assertThat(reply.awaitAnswer().isError()).isFalse();
        assertThat(session(0).isClosed()).isTrue();
        assertThat(session(0).isKilled()).isFalse();
        assertThat(bench.send().isDone()).isFalse();
        assertThat(sessions()).isEqualTo(2);
    }

    @Test
    void aProcessThatDoesNotIntroduceItselfHasItsPlaceUntilItIsGone() {
        use(isolated(Map.of("pool", Map.of("warm", 1, "max", 1))));
        bench.server.silentAtFirst();
        var reply = bench.send();
        session(0).whileClosing(() -> {
            assertThat(reply.awaitFailure().message()).contains("not today");
            bench.time.advance(Duration.ofSeconds(5));
            assertThat(sessions()).isEqualTo(1);
        });

        session(0).receive(Response.error(handshakeId(), -32000, "not today"));

        assertThat(session(0).isClosed()).isTrue();
        assertThat(sessions()).isEqualTo(2);
    }

    private MessageId handshakeId() {
        return ((Request) session(0).handshake().message()).id();
    }

    @Test
    void progressReachesTheCall() {
        var reply = bench.send(call("{\"name\":\"echo\",\"_meta\":{\"progressToken\":\"mine\"}}"));
        var id = ((Request) session(0).last().message()).id().raw();

        session(0).receive(Notification.of(Methods.PROGRESS, "{\"progressToken\":%s,\"progress\":1}".formatted(id)));

        assertThat(reply.awaitEvents(1)).hasSize(1);
    }

    @Test
    void aCallThatIsWithdrawnIsCancelledAndItsProcessIsKilled() {
        var call = bench.toolCall();
        var reply = bench.send(call);
        session(0).write(session(0).last());

        call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(session(0).abandoned()).hasSize(1);
        assertThat(session(0).isKilled()).isTrue();
    }

    @Test
    void aCallMayTakeSoLongInItsProcess() {
        use(isolated(Map.of("maxExecutionMs", 200, "tools", Map.of("slow", Map.of("maxExecutionMs", 5_000)))));
        var quick = bench.send();
        var slow = bench.send(call("{\"name\":\"slow\"}"));

        bench.time.advance(Duration.ofMillis(200));

        assertThat(quick.awaitFailure().message())
                .isEqualTo("'tools/call' to server 'tools' timed out after 200 ms, so its process was killed");
        assertThat(slow.isDone()).isFalse();
        bench.time.advance(Duration.ofMillis(4_800));
        assertThat(slow.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
    }

    @Test
    void operatorsSeeHowTheLastProcessOfACallCrashed() {
        bench.send();

        session(0).write(session(0).last());
        session(0).end(Closed.exited(3, "out of luck"));

        var status = bench.upstream().status();
        assertThat(status.error()).contains("exit code 3").contains("out of luck");
        assertThat(status.errorAt()).contains(bench.time.now());
    }

    @Test
    void nothingIsSaidOfMessagesToAProcessThatWeEnd() {
        var reply = bench.send();
        var aside = Outgoing.of(
                Notification.of("notifications/late", "{}"),
                ProtocolVersion.LATEST_LEGACY,
                Deadline.after(Duration.ofSeconds(1), bench.time));
        var why = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "the connection is closed");
        session(0)
                .whileClosing(
                        () -> session(0).fail(aside, TransportFailure.of(TransportFailure.Kind.REQUEST_FAILED, why)));

        session(0).answer(session(0).last(), DONE);

        assertThat(reply.awaitAnswer().isError()).isFalse();
        assertThat(bench.log.lines()).noneMatch(line -> line.contains("dropped"));
        assertThat(bench.upstream().status().dropped()).isZero();
    }

    @Nested
    class ThePool {

        @Test
        void isFilledWhenTheServerIsConnected() {
            use(isolated(Map.of()));

            list();

            assertThat(sessions()).isEqualTo(3);
            assertThat(reading("isolation.warm")).isEqualTo("2 processes ready for a call");
            assertThat(reading("isolation.started")).isEqualTo("2 so far");
        }

        @Test
        void givesACallWhatIsReadyAndStartsAnother() {
            use(isolated(Map.of()));
            list();

            bench.send();

            assertThat(session(1).requests()).hasSize(1);
            assertThat(sessions()).isEqualTo(3);
            bench.time.advance(Duration.ofMillis(10));
            assertThat(sessions()).isEqualTo(4);
            assertThat(reading("isolation.busy")).isEqualTo("1 of at most 16");
        }

        @Test
        void letsCallsWaitForTheirTurn() {
            var first = bench.send();
            bench.send();
            var third = bench.send();
            assertThat(sessions()).isEqualTo(2);
            assertThat(reading("isolation.waiting")).isEqualTo("1 calls wait for a process");

            session(0).answer(session(0).last(), DONE);

            assertThat(first.isDone()).isTrue();
            session(2).answer(session(2).last(), DONE);
            assertThat(third.awaitAnswer().isError()).isFalse();
        }

        @Test
        void forgetsACallThatIsWithdrawnWhileItWaits() {
            bench.send();
            bench.send();
            var late = bench.toolCall();
            var reply = bench.send(late);

            late.cancellation().cancel(CancelReason.TIMED_OUT);

            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.OVERLOADED);
            assertThat(reply.awaitFailure().message()).contains("limit 'pool.max'");
            session(0).answer(session(0).last(), DONE);
            assertThat(sessions()).isEqualTo(2);
        }

        @Test
        void tellsThatNoProcessBecameReady() {
            bench.server.silentAtAll();
            bench.send();
            bench.send();
            var late = bench.toolCall();
            var reply = bench.send(late);

            late.cancellation().cancel(CancelReason.TIMED_OUT);

            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED);
            assertThat(reply.awaitFailure().message())
                    .contains("no process of server 'tools' became ready for the call within")
                    .endsWith("2 are still being started");
        }

        @Test
        void tellsWhyTheLastStartCameToNothing() {
            bench.server.silentAtAll();
            bench.send();
            endAll();
            // Once more, as a server may end at the question of the other era.
            endAll();
            bench.time.advance(Duration.ofSeconds(1));
            var late = bench.toolCall();
            var reply = bench.send(late);

            late.cancellation().cancel(CancelReason.TIMED_OUT);

            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED);
            assertThat(reply.awaitFailure().message()).contains("exit code 3").contains("no key");
        }

        private void endAll() {
            bench.server.connections().forEach(each -> each.end(Closed.exited(3, "no key")));
        }

        @Test
        void startsNothingThatIsNotUsed() {
            use(isolated(Map.of("pool", Map.of("idle", "5m"))));
            list();

            bench.time.advance(Duration.ofMinutes(5));

            assertThat(session(1).isClosed()).isTrue();
            assertThat(session(2).isClosed()).isTrue();
            assertThat(session(0).isClosed()).isFalse();
            assertThat(sessions()).isEqualTo(3);
        }

        @Test
        void replacesWhatHasEndedUnasked() {
            use(isolated(Map.of("pool", Map.of("warm", 1))));
            list();
            bench.time.advance(Duration.ofSeconds(10));

            session(1).end(Closed.exited(3, "tired"));

            assertThat(sessions()).isEqualTo(3);
            assertThat(reading("isolation.started")).contains("exit code 3").contains("tired");
        }

        @Test
        void isPatientWithWhatEndsAtOnceAgainAndAgain() {
            use(isolated(Map.of("pool", Map.of("warm", 1))));
            list();

            for (int i = 0; i < 100; i++) {
                bench.server.connections().stream()
                        .skip(1)
                        .filter(each -> !each.isClosed())
                        .forEach(each -> each.end(Closed.exited(3, "")));
                bench.time.advance(Duration.ofMillis(100));
            }

            // Ten seconds of which each start ends at once: the pauses double, and five a minute are enough.
            assertThat(sessions()).isBetween(3, 7);
        }

        @Test
        void refusesCallsWhileNothingCanBeStarted() {
            var why = TransportException.of(Failure.of(ErrorCode.PROVIDER_INIT_FAILED, "no such program"));
            bench.server.unreachable(why);
            var made = bench.server.made().size();

            assertThat(bench.send().awaitFailure().message()).isEqualTo("no such program");
            var refused = bench.send().awaitFailure();

            assertThat(refused.code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
            assertThat(refused.message()).contains("no such program");
            assertThat(bench.server.made()).hasSize(made + 1);
            assertThat(bench.upstream().status().remarks()).anyMatch(each -> each.endsWith("no such program"));
            bench.server.reachable();
            bench.time.advance(Duration.ofSeconds(1));
            assertThat(bench.send().isDone()).isFalse();
        }

        @Test
        void keepsUsersApartWhereTheServerDoes() {
            use(isolated(Map.of("shared", false, "pool", Map.of("warm", 1))));

            bench.send(bench.call(Methods.TOOLS_CALL, "{\"name\":\"echo\"}", user("alice")));
            var spare = bench.server.connection();
            bench.send(bench.call(Methods.TOOLS_CALL, "{\"name\":\"echo\"}", user("bob")));

            assertThat(spare.requests()).isEmpty();
            bench.send(bench.call(Methods.TOOLS_CALL, "{\"name\":\"echo\"}", user("alice")));
            assertThat(spare.requests()).hasSize(1);
        }

        @Test
        void keepsProcessesOfOneLimitForCallsWithThatLimit() {
            use(isolated(Map.of("tools", Map.of("large", Map.of("maxMemoryMb", 512)), "pool", Map.of("warm", 1))));
            list();
            var small = session(1);

            bench.send(call("{\"name\":\"large\"}"));

            assertThat(small.requests()).isEmpty();
            bench.send();
            assertThat(small.requests()).hasSize(1);
        }

        @Test
        void endsWhatOthersHaveReadyForACallThatFindsNoRoom() {
            use(isolated(Map.of("tools", Map.of("large", Map.of("maxMemoryMb", 512)), "pool", Map.of("max", 2))));
            list();
            assertThat(sessions()).isEqualTo(3);

            bench.send(call("{\"name\":\"large\"}"));

            assertThat(session(1).isClosed()).isTrue();
            assertThat(session(3).requests()).hasSize(1);
        }

        @Test
        void endsEverythingWhenTheServerIsClosed() {
            use(isolated(Map.of("pool", Map.of("warm", 1, "max", 2))));
            list();
            var busy = bench.send();
            bench.send();
            var waiting = bench.send();

            bench.upstream().close();

            assertThat(busy.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
            assertThat(waiting.awaitFailure().message()).contains("is closed");
            assertThat(bench.server.connections()).allMatch(HeldTransport::isClosed);
            assertThat(bench.send().awaitFailure().message()).contains("is closed");
        }

        private static Caller user(String name) {
            return Caller.builder()
                    .session(name)
                    .principal(new Principal(name, "token"))
                    .build();
        }
    }

    @Nested
    class SeveralRounds {
        private static final String ASKS =
                "{\"resultType\":\"input_required\",\"inputRequests\":{},\"requestState\":\"first\"}";

        @Test
        void ofAModernServerHaveOneProcess() {
            bench.server.modern();
            var first = bench.send();
            var session = bench.server.connection();
            session.answer(session.last(), ASKS);
            assertThat(first.isDone()).isTrue();
            assertThat(session.isClosed()).isFalse();

            bench.send(call("{\"name\":\"echo\",\"requestState\":\"first\",\"inputResponses\":{}}"));

            assertThat(session.requests()).hasSize(2);
            session.answer(session.last(), "{\"resultType\":\"complete\",\"content\":[]}");
            assertThat(session.isClosed()).isTrue();
        }

        @Test
        void mayGoOnInAnotherWhereTheFirstHasLapsed() {
            bench.server.modern();
            bench.send();
            var session = bench.server.connection();
            session.answer(session.last(), ASKS);

            bench.time.advance(Duration.ofMinutes(10));

            assertThat(session.isClosed()).isTrue();
            bench.send(call("{\"name\":\"echo\",\"requestState\":\"first\"}"));
            assertThat(bench.server.connection().requests()).hasSize(1);
        }

        @Test
        void ofAnotherToolHaveAnotherProcess() {
            bench.server.modern();
            bench.send();
            var session = bench.server.connection();
            session.answer(session.last(), ASKS);

            bench.send(call("{\"name\":\"other\",\"requestState\":\"first\"}"));

            assertThat(session.requests()).hasSize(1);
            assertThat(bench.server.connection().requests()).hasSize(1);
        }

        @Test
        void areNotKeptForByAProcessThatHasEnded() {
            bench.server.modern();
            bench.upstream().handle(bench.toolCall(), new Reply() {
                @Override
                public void event(Message progressOrLog) {}

                @Override
                public void done(Outcome outcome) {
                    session(0).end(Closed.exited(0, ""));
                }
            });

            session(0).answer(session(0).last(), ASKS);

            assertThat(reading("isolation.busy")).isEqualTo("0 of at most 2");
        }

        @Test
        void makeRoomForOtherCalls() {
            bench.server.modern();
            bench.send();
            var oldest = bench.server.connection();
            oldest.answer(oldest.last(), ASKS);
            bench.send();

            var third = bench.send();

            assertThat(oldest.isClosed()).isTrue();
            var newest = bench.server.connection();
            newest.answer(newest.last(), "{\"resultType\":\"complete\",\"content\":[]}");
            assertThat(third.awaitAnswer().isError()).isFalse();
        }
    }

    @Nested
    class WhereToolsMustBeApproved {

        @Test
        void aProcessListsThemBeforeItHasACall() {
            use(OneServer.strict(section(Map.of("pool", Map.of("warm", 1)))));
            var reply = bench.send();

            answerLists(LISTED);

            var called = called();
            called.answer(called.last(), DONE);
            assertThat(reply.awaitAnswer().isError()).isFalse();
        }

        @Test
        void aProcessThatListsTheToolOtherwiseDoesNotGetTheCall() {
            use(OneServer.strict(section(Map.of("pool", Map.of("warm", 1)))));
            var reply = bench.send();
            session(0).answer(session(0).last(), LISTED);

            answerLists(LISTED.replace("echo\"", "echo\",\"description\":\"and more\""));

            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.TOOL_NOT_ADMITTED);
            assertThat(reply.awaitFailure().message()).contains("lists the tool 'echo' otherwise");
            assertThat(bench.server.connections()).noneMatch(each -> has(each, Methods.TOOLS_CALL));
        }

        @Test
        void aProcessThatSaysThatItsToolsHaveChangedDoesNotGetTheCall() {
            use(OneServer.strict(section(Map.of("pool", Map.of("warm", 1)))));
            list();
            answerLists(LISTED);

            session(1).receive(Notification.of(Methods.TOOLS_LIST_CHANGED));

            var reply = bench.send();
            answerLists(LISTED);
            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.TOOL_NOT_ADMITTED);
        }

        @Test
        void aProcessThatListsInACircleIsKilledBeforeAnotherHasItsPlace() {
            use(OneServer.strict(section(Map.of("pool", Map.of("warm", 1, "max", 1)))));
            var reply = bench.send();
            session(0).answer(session(0).last(), LISTED);
            var circle = LISTED.replace("]}", "],\"nextCursor\":\"on\"}");
            session(1).whileClosing(this::noOtherIsStarted);

            session(1).answer(session(1).last(), circle);
            session(1).answer(session(1).last(), circle);

            assertThat(reply.awaitFailure().message()).contains("its list of tools never ends");
            assertThat(session(1).isKilled()).isTrue();
            assertThat(sessions()).isEqualTo(3);
        }

        /** Though it is time for another try. */
        private void noOtherIsStarted() {
            bench.time.advance(Duration.ofSeconds(5));
            assertThat(sessions()).isEqualTo(2);
        }

        @Test
        void allPagesOfAProcessHaveTheTimeOfOne() {
            use(OneServer.strict(section(Map.of("pool", Map.of("warm", 0, "max", 1)))));
            var reply = bench.send();
            session(0).answer(session(0).last(), LISTED);
            bench.time.advance(OneServer.TIMEOUT.minusSeconds(1));
            session(1).answer(session(1).last(), LISTED.replace("]}", "],\"nextCursor\":\"on\"}"));

            bench.time.advance(Duration.ofSeconds(1));

            assertThat(session(1).isKilled()).isTrue();
            assertThat(reply.isDone()).isTrue();
        }

        @Test
        void aProcessListsNoMoreThanTheServerMay() {
            use(OneServer.strict(section(Map.of("list-items", 1, "pool", Map.of("warm", 0, "max", 1)))));
            var reply = bench.send();
            session(0).answer(session(0).last(), LISTED);

            session(1)
                    .answer(
                            session(1).last(),
                            LISTED.replace("]}", ",{\"name\":\"more\",\"inputSchema\":{}}],\"nextCursor\":\"on\"}"));

            assertThat(has(session(1), Methods.TOOLS_CALL)).isTrue();
            session(1).answer(session(1).last(), DONE);
            assertThat(reply.awaitAnswer().isError()).isFalse();
        }

        /** Answers what is asked for, and what is asked for then. */
        private void answerLists(String listed) {
            for (int i = 0; i < 4; i++) {
                bench.server.connections().stream()
                        .filter(each -> !each.isClosed() && !each.requests().isEmpty() && isAsked(each))
                        .toList()
                        .forEach(each -> each.answer(each.last(), listed));
            }
        }

        private final Set<Object> answered = new HashSet<>();

        private boolean isAsked(HeldTransport each) {
            return isOf(each.last().message(), Methods.TOOLS_LIST) && answered.add(each.last());
        }

        private HeldTransport called() {
            return bench.server.connections().stream()
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

    @Test
    void aClientThatIsAskedKeepsItsProcessAndItsTime() {
        var replies = new ArrayList<Reply>();
        var client = Caller.builder()
                .session("alice")
                .capabilities("{\"elicitation\":{}}")
                .client((question, answer) -> replies.add(answer))
                .build();
        var reply = bench.send(bench.call(Methods.TOOLS_CALL, "{\"name\":\"echo\"}", client));
        session(0).write(session(0).last());

        session(0).receive(Request.of(MessageId.of("question"), Methods.ELICITATION_CREATE, "{\"message\":\"?\"}"));
        bench.time.advance(Duration.ofMinutes(5));

        assertThat(replies).hasSize(1);
        assertThat(reply.isDone()).isFalse();
        session(0).answer(session(0).last(), DONE);
        assertThat(reply.isDone()).isTrue();
    }
}
