package io.mcpbridge.engine;

import static io.mcpbridge.engine.LeasingClients.CAPABILITIES;
import static io.mcpbridge.engine.LeasingClients.answerAll;
import static io.mcpbridge.engine.LeasingClients.askRoots;
import static io.mcpbridge.engine.LeasingClients.said;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests of a legacy server outside of calls reach the client that owns the session. */
class QuestionsOutsideOfCallsTest {
    private final OneServer bench = OneServer.reconnecting();
    private final LeasingClients clients = new LeasingClients(bench);
    private final LeasingClient alice = clients.named("alice");
    private final LeasingClient bob = clients.named("bob");

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void requestOfServerGoesToTheClientThatOwnsTheSession() {
        alice.call();
        bob.call();
        clients.sessions().forEach(LeasingClients::answerAll);

        askRoots(clients.sessions().get(1), "r");
        bob.answers.get(0).complete(Outcome.answered(Response.result(MessageId.of(1), "{\"roots\":[]}")));

        assertThat(alice.asked).isEmpty();
        assertThat(said(clients.sessions().get(1))).contains("\"id\":\"r\"", "\"roots\":[]");
    }

    @Test
    void rootsRequestOutlivesTheCallDuringWhichItCame() {
        alice.call();
        askRoots(clients.sessions().get(0), "r");
        answerAll(clients.sessions().get(0));

        alice.answers.get(0).complete(Outcome.answered(Response.result(MessageId.of(1), "{\"roots\":[]}")));

        assertThat(said(clients.sessions().get(0))).contains("\"id\":\"r\"", "\"roots\":[]");
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void otherServerRequestsEndWithTheirCall() {
        alice.call();
        LeasingClients.ask(clients.sessions().get(0), "q");

        answerAll(clients.sessions().get(0));

        assertThat(said(clients.sessions().get(0))).contains("\"id\":\"q\"", "the call that it belonged to has ended");
    }

    @Test
    void serverRequestWaitsForTheNextClient() {
        bench.route.tools().list(Caller.ANONYMOUS.withCapabilities(CAPABILITIES), new Lists());
        askRoots(clients.sessions().get(0), "r");
        assertThat(said(clients.sessions().get(0))).doesNotContain("\"id\":\"r\"");

        alice.call();

        assertThat(alice.asked).hasSize(1);
    }

    @Test
    void serverRequestWithoutAClientIsRejected() {
        bench.route.tools().list(Caller.ANONYMOUS.withCapabilities(CAPABILITIES), new Lists());
        answerAll(clients.sessions().get(0));
        askRoots(clients.sessions().get(0), "r");
        bench.time.advance(Duration.ofSeconds(30));

        assertThat(said(clients.sessions().get(0))).contains("\"id\":\"r\"", "no client has come yet");
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void serverRequestCancelledByTheServerIsNotForwarded() {
        bench.route.tools().list(Caller.ANONYMOUS.withCapabilities(CAPABILITIES), new Lists());
        askRoots(clients.sessions().get(0), "r");
        clients.sessions().get(0).receive(Notification.of(Methods.CANCELLED, "{\"requestId\":\"r\"}"));
        alice.call();

        assertThat(alice.asked).isEmpty();
    }

    @Test
    void clientThatListsFirstReceivesTheServerRequest() {
        bench.route.tools().list(alice.caller, new Lists());

        askRoots(clients.sessions().get(0), "r");

        assertThat(alice.asked).hasSize(1);
    }

    @Test
    void serverRequestIsRejectedIfTwoClientsShareASession() {
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
    void changeOfRootsReachesOnlyTheSessionOfThatClient() {
        alice.call();
        bob.call();

        bench.upstream().notify(bob.caller, Notification.of(Methods.ROOTS_LIST_CHANGED));

        assertThat(said(clients.sessions().get(0))).doesNotContain(Methods.ROOTS_LIST_CHANGED);
        assertThat(said(clients.sessions().get(1))).contains(Methods.ROOTS_LIST_CHANGED);
    }

    @Test
    void serverIsNotifiedOfChangedRootsWhenASessionIsReused() {
        var one = clients.declaring("one", "{\"roots\":{}}");
        one.call();
        answerAll(clients.sessions().get(0));
        one.leave();
        clients.declaring("other", "{\"roots\":{}}").call();

        assertThat(said(clients.sessions().get(0))).contains(Methods.ROOTS_LIST_CHANGED);
    }

    @Test
    void changeOfRootsDoesNotReachASharedSession() {
        bench.server.streamPerRequest();
        alice.call();

        bench.upstream().notify(alice.caller, Notification.of(Methods.ROOTS_LIST_CHANGED));

        assertThat(said(clients.sessions().get(0))).doesNotContain(Methods.ROOTS_LIST_CHANGED);
    }
}
