package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Audience;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.testkit.HeldTransport;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Clients that a legacy server can ask something have a session of it each, where all of a session share one stream. */
class SeatsTest {
    private static final String CAPABILITIES = "{\"elicitation\":{\"form\":{}}}";

    private final OneServer bench = OneServer.reconnecting();
    private final Client alice = new Client("alice");
    private final Client bob = new Client("bob");

    @AfterEach
    void close() {
        bench.close();
    }

    /** A client of the legacy era that may leave; keeps what it was asked. */
    private final class Client implements Audience {
        private final List<Call> asked = new CopyOnWriteArrayList<>();
        private final List<Reply> answers = new CopyOnWriteArrayList<>();
        private final List<Runnable> departure = new CopyOnWriteArrayList<>();
        private final Caller caller;

        private Client(String name) {
            this(name, CAPABILITIES);
        }

        private Client(String name, String capabilities) {
            this(name, capabilities, "");
        }

        private Client(String name, String capabilities, String id) {
            this(name, capabilities, id, Principal.ANONYMOUS);
        }

        private Client(String name, String capabilities, String id, Principal principal) {
            caller = Caller.builder()
                    .principal(principal)
                    .clientId(id)
                    .session(name)
                    .capabilities(capabilities)
                    .audience(this)
                    .client((call, reply) -> {
                        asked.add(call);
                        answers.add(reply);
                    })
                    .build();
        }

        private RecordingReply call() {
            return bench.send(bench.call(Methods.TOOLS_CALL, "{\"name\":\"ask\"}", caller));
        }

        private void leave() {
            departure.forEach(Runnable::run);
        }

        @Override
        public void tell(Notification notification) {}

        @Override
        public Registration onGone(Runnable action) {
            departure.add(action);
            return () -> departure.remove(action);
        }
    }

    private List<HeldTransport> sessions() {
        return bench.server.connections();
    }

    private static void ask(HeldTransport session, String id) {
        session.receive(Request.of(MessageId.of(id), Methods.ELICITATION_CREATE, "{\"message\":\"?\"}"));
    }

    private static void answerAll(HeldTransport session) {
        session.requests().forEach(out -> session.answer(out, "{}"));
    }

    @Test
    void twoClientsAreEachAskedWhatTheirOwnCallNeeds() {
        alice.call();
        bob.call();

        ask(sessions().get(1), "for-bob");
        ask(sessions().get(0), "for-alice");
        bob.answers.get(0).done(Outcome.answered(Response.result(MessageId.of(1), "{\"action\":\"accept\"}")));

        assertThat(alice.asked).hasSize(1);
        assertThat(bob.asked).hasSize(1);
        assertThat(said(sessions().get(1))).contains("\"id\":\"for-bob\"", "accept");
        assertThat(said(sessions().get(0))).doesNotContain("for-alice");
    }

    @Test
    void clientsThatCannotBeAskedShareOne() {
        new Client("carol", "{}").call();
        new Client("dave", "{}").call();
        new Client("eve", "{}").call();

        assertThat(sessions()).hasSize(1);
    }

    @Test
    void oneClientHasOneHoweverManyCallsItHas() {
        alice.call();
        alice.call();
        answerAll(sessions().get(0));
        alice.call();

        assertThat(sessions()).hasSize(1);
    }

    @Test
    void aClientKeepsItsOwnBetweenItsCalls() {
        alice.call();
        answerAll(sessions().get(0));
        bob.call();
        alice.call();

        assertThat(sessions()).hasSize(2);
        assertThat(sessions().get(0).requests()).hasSize(2);
        assertThat(sessions().get(1).requests()).hasSize(1);
    }

    @Test
    void whatAClientHasLeftTheNextOneTakes() {
        alice.call();
        answerAll(sessions().get(0));
        alice.leave();
        bob.call();

        assertThat(sessions()).hasSize(1);
    }

    @Test
    void nobodyTakesOneThatMaySpeakOfAWithdrawnCallStill() {
        var call = bench.call(Methods.TOOLS_CALL, "{\"name\":\"ask\"}", alice.caller);
        bench.send(call);
        sessions().get(0).write(sessions().get(0).last());
        call.cancellation().cancel(CancelReason.CLIENT_GONE);
        alice.leave();
        bob.call();

        ask(sessions().get(0), "of-alice");
        ask(sessions().get(1), "of-bob");

        assertThat(alice.asked).isEmpty();
        assertThat(bob.asked)
                .singleElement()
                .satisfies(asked -> assertThat(asked.request().id()).isEqualTo(MessageId.of("of-bob")));
    }

    @Test
    void aFurtherOneEndsSomeTimeAfterItsClientHasLeft() {
        alice.call();
        bob.call();
        answerAll(sessions().get(1));
        bob.leave();
        bench.time.advance(Duration.ofSeconds(59));
        assertThat(sessions().get(1).isClosed()).isFalse();
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(sessions().get(1).isClosed()).isTrue();
        assertThat(sessions().get(0).isClosed()).isFalse();
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void listsAreAskedForWhereTheirClientIs() {
        bench.route.tools().list(alice.caller, new Lists());
        alice.call();
        bench.route.tools().list(bob.caller, new Lists());

        assertThat(sessions()).hasSize(1);
    }

    @Test
    void whoFindsNoRoomJoinsTheFirstAndIsAskedOnlyWhileItIsAlone() {
        for (int number = 0; number < 16; number++) {
            new Client("client-" + number).call();
        }
        var late = new Client("late");
        var reply = late.call();

        ask(sessions().get(0), "whose");
        answerAll(sessions().get(0));
        late.call();
        ask(sessions().get(0), "mine");

        assertThat(reply.awaitAnswer().isError()).isFalse();
        assertThat(sessions()).hasSize(16);
        assertThat(said(sessions().get(0))).contains("\"id\":\"whose\"", "2 clients have calls under way here");
        assertThat(late.asked).hasSize(1);
    }

    @Test
    void thereAreAsManyAsAreConfigured() {
        try (var small = OneServer.with(Map.of("sessions", 2))) {
            for (var name : List.of("one", "two", "three")) {
                small.send(small.call(Methods.TOOLS_CALL, "{\"name\":\"ask\"}", new Client(name).caller));
            }

            assertThat(small.server.connections()).hasSize(2);
            assertThat(small.upstream().status().sessions()).isEqualTo(2);
        }
    }

    @Test
    void whileItIsUnknownHowTheServerSpeaksNoSecondOneIsOpened() {
        bench.server.silentAtFirst();
        alice.call();
        bob.call();
        assertThat(sessions()).hasSize(1);
        bench.server.legacy();
        Handshakes.accept(sessions().get(0));

        assertThat(sessions()).hasSize(2);
        assertThat(sessions().get(0).requests()).hasSize(1);
        assertThat(sessions().get(1).requests()).hasSize(1);
    }

    @Test
    void aModernServerHasOneForAll() {
        bench.server.modern();
        alice.call();
        bob.call();

        assertThat(sessions()).hasSize(1);
    }

    @Test
    void aServerWhereEachRequestHasItsStreamHasOneForAll() {
        bench.server.streamPerRequest();
        alice.call();
        bob.call();

        assertThat(sessions()).hasSize(1);
    }

    private static String said(HeldTransport session) {
        return session.sent().stream().map(out -> out.message().json()).reduce("", String::concat);
    }

    private static void askRoots(HeldTransport session, String id) {
        session.receive(Request.of(MessageId.of(id), Methods.ROOTS_LIST));
    }

    private Client known(String name, String id) {
        return new Client(name, CAPABILITIES, id);
    }

    /** Clients that declare different things, which a server cannot hear in one session. */
    @Nested
    class OfSeveralKinds {
        private final Client rooted = new Client("rooted", "{\"roots\":{}}");

        private void callAndLeave(OneServer server, Client client) {
            server.send(server.call(Methods.TOOLS_CALL, "{\"name\":\"ask\"}", client.caller));
            server.server.connections().forEach(SeatsTest::answerAll);
            client.leave();
        }

        @Test
        void leaveRoomForAnotherKindAtOnce() {
            try (var small = OneServer.with(Map.of("sessions", 1))) {
                callAndLeave(small, rooted);
                var reply = small.send(small.call(Methods.TOOLS_CALL, "{}", new Client("mute", "{}").caller));

                assertThat(small.server.connections()).hasSize(2);
                assertThat(small.server.connections().get(0).isClosed()).isTrue();
                answerAll(small.connection());
                assertThat(reply.awaitAnswer().isError()).isFalse();
            }
        }

        @Test
        void joinASessionWhereAllAreInUse() {
            try (var small = OneServer.with(Map.of("sessions", 1))) {
                small.send(small.call(Methods.TOOLS_CALL, "{}", rooted.caller));
                var reply = small.send(small.call(Methods.TOOLS_CALL, "{}", alice.caller));
                answerAll(small.connection());
                askRoots(small.connection(), "r");

                assertThat(small.server.connections()).hasSize(1);
                assertThat(reply.awaitAnswer().isError()).isFalse();
                assertThat(rooted.asked).isEmpty();
                assertThat(said(small.connection())).contains("clients of several kinds share this session");
            }
        }

        @Test
        void haveTheirsEndedSomeTimeAfterTheyLeftUnlessItIsTheLast() {
            callAndLeave(bench, rooted);
            bench.time.advance(Duration.ofMinutes(2));
            assertThat(sessions().get(0).isClosed()).isFalse();
            alice.call();
            bench.time.advance(Duration.ofSeconds(60));

            assertThat(sessions().get(0).isClosed()).isTrue();
            assertThat(sessions().get(1).isClosed()).isFalse();
            assertThat(bench.time.pendingAlarms()).isZero();
        }
    }

    /** What the server asks while no call is under way. */
    @Nested
    class OutsideOfCalls {

        @Test
        void theClientIsAskedWhoseSessionItIs() {
            alice.call();
            bob.call();
            sessions().forEach(SeatsTest::answerAll);

            askRoots(sessions().get(1), "r");
            bob.answers.get(0).done(Outcome.answered(Response.result(MessageId.of(1), "{\"roots\":[]}")));

            assertThat(alice.asked).isEmpty();
            assertThat(said(sessions().get(1))).contains("\"id\":\"r\"", "\"roots\":[]");
        }

        @Test
        void aQuestionWaitsForWhoeverComes() {
            bench.route.tools().list(Caller.builder().capabilities(CAPABILITIES).build(), new Lists());
            askRoots(sessions().get(0), "r");
            assertThat(said(sessions().get(0))).doesNotContain("\"id\":\"r\"");

            alice.call();

            assertThat(alice.asked).hasSize(1);
        }

        @Test
        void aQuestionForWhichNobodyComesIsRefused() {
            bench.route.tools().list(Caller.builder().capabilities(CAPABILITIES).build(), new Lists());
            answerAll(sessions().get(0));
            askRoots(sessions().get(0), "r");
            bench.time.advance(Duration.ofSeconds(30));

            assertThat(said(sessions().get(0))).contains("\"id\":\"r\"", "nobody has come yet");
            assertThat(bench.time.pendingAlarms()).isZero();
        }

        @Test
        void aQuestionThatTheServerTakesBackIsNotAsked() {
            bench.route.tools().list(Caller.builder().capabilities(CAPABILITIES).build(), new Lists());
            askRoots(sessions().get(0), "r");
            sessions().get(0).receive(Notification.of(Methods.CANCELLED, "{\"requestId\":\"r\"}"));
            alice.call();

            assertThat(alice.asked).isEmpty();
        }

        @Test
        void whoListsFirstIsAsked() {
            bench.route.tools().list(alice.caller, new Lists());

            askRoots(sessions().get(0), "r");

            assertThat(alice.asked).hasSize(1);
        }

        @Test
        void nobodyIsAskedWhereTwoShareASession() {
            try (var small = OneServer.with(Map.of("sessions", 1))) {
                for (var client : List.of(alice, bob)) {
                    small.send(small.call(Methods.TOOLS_CALL, "{\"name\":\"ask\"}", client.caller));
                }
                answerAll(small.connection());

                askRoots(small.connection(), "r");

                assertThat(said(small.connection()))
                        .contains("\"id\":\"r\"", "2 clients share this session", "'sessions'", "which is 1");
            }
        }

        @Test
        void aChangeOfRootsReachesTheSessionOfThatClientAlone() {
            alice.call();
            bob.call();

            bench.upstream().tell(bob.caller, Notification.of(Methods.ROOTS_LIST_CHANGED));

            assertThat(said(sessions().get(0))).doesNotContain(Methods.ROOTS_LIST_CHANGED);
            assertThat(said(sessions().get(1))).contains(Methods.ROOTS_LIST_CHANGED);
        }

        @Test
        void whoTakesWhatAnotherLeftHasItsOwnRootsAskedFor() {
            var one = new Client("one", "{\"roots\":{}}");
            one.call();
            answerAll(sessions().get(0));
            one.leave();
            new Client("other", "{\"roots\":{}}").call();

            assertThat(said(sessions().get(0))).contains(Methods.ROOTS_LIST_CHANGED);
        }

        @Test
        void aChangeOfRootsReachesNoSessionThatOthersUse() {
            bench.server.streamPerRequest();
            alice.call();

            bench.upstream().tell(alice.caller, Notification.of(Methods.ROOTS_LIST_CHANGED));

            assertThat(said(sessions().get(0))).doesNotContain(Methods.ROOTS_LIST_CHANGED);
        }
    }

    /** A client that was lost and goes by an id. */
    @Nested
    class WhoComesBack {
        private final Client carol = known("carol", "desk");

        @Test
        void getsWhatItHad() {
            alice.call();
            carol.call();
            answerAll(sessions().get(1));
            carol.leave();
            new Client("dave").call();
            bench.time.advance(Duration.ofSeconds(59));
            known("carol-again", "desk").call();

            assertThat(sessions()).hasSize(3);
            assertThat(sessions().get(1).requests()).hasSize(2);
        }

        @Test
        void getsAnotherOneWhenItsTimeIsOver() {
            alice.call();
            carol.call();
            answerAll(sessions().get(1));
            carol.leave();
            bench.time.advance(Duration.ofSeconds(60));
            known("carol-again", "desk").call();

            assertThat(sessions()).hasSize(3);
            assertThat(sessions().get(1).isClosed()).isTrue();
        }

        @Test
        void isAskedForItsCallsThoughEarlierOnesWereWithdrawn() {
            var call = bench.call(Methods.TOOLS_CALL, "{\"name\":\"ask\"}", carol.caller);
            bench.send(call);
            sessions().get(0).write(sessions().get(0).last());
            call.cancellation().cancel(CancelReason.CLIENT_GONE);
            carol.leave();
            var again = known("carol-again", "desk");
            again.call();
            ask(sessions().get(0), "q");

            assertThat(again.asked).hasSize(1);
        }

        @Test
        void doesNotGetThatOfAnotherUserWithTheSameId() {
            alice.call();
            carol.call();
            answerAll(sessions().get(1));
            carol.leave();
            var other = new Client("mallory", CAPABILITIES, "desk", new Principal("mallory", "token"));
            other.call();

            assertThat(sessions()).hasSize(3);
        }
    }

    /** A client whose first act is to subscribe. */
    @Nested
    class Subscriptions {
        private final RecordingAudience ears = new RecordingAudience();

        private RecordingReply subscribe(Client client) {
            var call = bench.call(Methods.RESOURCES_SUBSCRIBE, "{\"uri\":\"file:///a\"}", client.caller);
            var reply = new RecordingReply();
            bench.upstream().subscribe(call, "file:///a", ears, reply);
            return reply;
        }

        @Test
        void areMadeWhereTheirClientCallsLater() {
            bench.server.declare("{\"resources\":{\"subscribe\":true}}");
            alice.call();
            var reply = subscribe(bob);
            answerAll(sessions().get(1));
            bob.call();

            assertThat(reply.awaitAnswer().isError()).isFalse();
            assertThat(sessions()).hasSize(2);
            assertThat(said(sessions().get(1))).contains(Methods.RESOURCES_SUBSCRIBE, Methods.TOOLS_CALL);

            sessions().get(1).receive(Notification.of(Methods.RESOURCES_UPDATED, "{\"uri\":\"file:///a\"}"));
            bench.upstream().subscriptions().remove(bench.call(Methods.PING, "{}", bob.caller), "file:///a", ears);

            assertThat(ears.heard()).hasSize(1);
            assertThat(said(sessions().get(1))).contains(Methods.RESOURCES_UNSUBSCRIBE);
        }

        @Test
        void areMadeThereEvenIfTheServerWasNotConnectedYet() {
            bench.server.declare("{\"resources\":{\"subscribe\":true}}");
            subscribe(alice);
            bob.call();
            alice.call();

            assertThat(sessions()).hasSize(2);
            assertThat(said(sessions().get(0))).contains(Methods.RESOURCES_SUBSCRIBE, Methods.TOOLS_CALL);
        }

        @Test
        void areTakenUpAgainInTheirOwnSessionWhenTheServerRestarts() {
            bench.server.declare("{\"resources\":{\"subscribe\":true}}");
            alice.call();
            subscribe(bob);
            answerAll(sessions().get(1));
            sessions().get(1).end(Closed.disconnected("restarted"));
            bench.time.advance(Duration.ofSeconds(30));

            assertThat(sessions()).hasSize(3);
            assertThat(said(sessions().get(2))).contains(Methods.RESOURCES_SUBSCRIBE);
        }

        @Test
        void ofAGuestStayWhereTheyAre() {
            try (var small = OneServer.with(Map.of("sessions", 1))) {
                small.send(small.call(Methods.TOOLS_CALL, "{}", alice.caller));
                var guest = small.call(Methods.RESOURCES_SUBSCRIBE, "{\"uri\":\"file:///a\"}", bob.caller);
                small.upstream().subscribe(guest, "file:///a", ears, new RecordingReply());
                answerAll(small.connection());
                alice.leave();
                small.send(small.call(Methods.TOOLS_CALL, "{}", bob.caller));

                assertThat(small.server.connections()).hasSize(1);
            }
        }
    }

    /** Modern clients are known by the names of their calls. */
    @Nested
    class ModernClients {

        private Caller modern(String name, String capabilities) {
            return modern(name, name, capabilities);
        }

        private Caller modern(String name, String home, String capabilities) {
            return Caller.builder()
                    .session(name)
                    .home(home)
                    .version(ProtocolVersion.V2026_07_28)
                    .capabilities(capabilities)
                    .declared(capabilities)
                    .build();
        }

        private RecordingReply call(String method, Caller caller) {
            return OneServer.through(bench.route.handler(), bench.call(method, "{\"name\":\"ask\"}", caller));
        }

        @Test
        void areAskedApart() {
            var one = call(Methods.TOOLS_CALL, modern("request-1", CAPABILITIES));
            var other = call(Methods.TOOLS_CALL, modern("request-2", CAPABILITIES));

            ask(sessions().get(1), "q");
            bench.time.advance(Duration.ofMillis(50));

            assertThat(other.awaitAnswer().json()).contains("input_required");
            assertThat(one.isDone()).isFalse();
        }

        @Test
        void thatCannotBeToldApartShareOneEvenIfOthersCameBetween() {
            call(Methods.TOOLS_CALL, modern("request-1", "nobody", CAPABILITIES));
            call(Methods.TOOLS_CALL, modern("client-1", CAPABILITIES));
            call(Methods.TOOLS_CALL, modern("request-2", "nobody", CAPABILITIES));

            assertThat(sessions()).hasSize(2);
            assertThat(sessions().get(0).requests()).hasSize(2);
        }

        @Test
        void thatCannotBeToldApartAreNotAskedWhileTwoHaveCalls() {
            var one = call(Methods.TOOLS_CALL, modern("request-1", "nobody", CAPABILITIES));
            var other = call(Methods.TOOLS_CALL, modern("request-2", "nobody", CAPABILITIES));
            ask(sessions().get(0), "whose");
            bench.time.advance(Duration.ofMillis(50));

            assertThat(said(sessions().get(0))).contains("\"id\":\"whose\"", "2 clients have calls under way here");
            assertThat(one.isDone()).isFalse();
            assertThat(other.isDone()).isFalse();
        }

        @Test
        void thatCannotBeAskedShareOne() {
            call(Methods.TOOLS_CALL, modern("request-1", "{}"));
            call(Methods.TOOLS_CALL, modern("request-2", "{}"));

            assertThat(sessions()).hasSize(1);
        }

        @Test
        void leaveTheirsToTheNextWhenTheirCallsHaveEnded() {
            call(Methods.TOOLS_CALL, modern("request-1", CAPABILITIES));
            answerAll(sessions().get(0));
            call(Methods.TOOLS_CALL, modern("request-2", CAPABILITIES));

            assertThat(sessions()).hasSize(1);
        }

        @Test
        void hearTheQuestionOfOneCallThoughAnotherOfTheirsWasTakenForItAndEnds() {
            var asking = call(Methods.TOOLS_CALL, modern("client-1", CAPABILITIES));
            var quick = call(Methods.TOOLS_CALL, modern("client-1", CAPABILITIES));

            ask(sessions().get(0), "q");
            sessions().get(0).answer(sessions().get(0).last(), "{\"content\":[]}");
            bench.time.advance(Duration.ofMillis(50));

            assertThat(quick.awaitAnswer().json()).doesNotContain("input_required");
            assertThat(asking.awaitAnswer().json()).contains("input_required");
        }

        @Test
        void whoNeverComesBackHaveTheirCallsLapseAndNothingElse() {
            var asking = call(Methods.TOOLS_CALL, modern("client-1", CAPABILITIES));
            ask(sessions().get(0), "q");
            bench.time.advance(Duration.ofMinutes(11));

            assertThat(asking.awaitAnswer().json()).contains("input_required");
            assertThat(sessions().get(0).abandoned()).hasSize(1);
            assertThat(said(sessions().get(0))).contains("\"id\":\"q\"", "timed out");
            assertThat(bench.time.pendingAlarms()).isZero();
        }

        @Test
        void areAskedForAToolWhileTheyCompleteAnArgument() {
            var tool = call(Methods.TOOLS_CALL, modern("client-1", CAPABILITIES));
            call(Methods.COMPLETION_COMPLETE, modern("client-1", CAPABILITIES));

            ask(sessions().get(0), "q");
            bench.time.advance(Duration.ofMillis(50));

            assertThat(sessions()).hasSize(1);
            assertThat(tool.awaitAnswer().json()).contains("input_required");
        }
    }
}
