package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import java.time.Duration;
import java.util.List;

/** Clients of one server that accept server requests, and the messages of its sessions. */
final class LeasingClients {
    static final String CAPABILITIES = "{\"elicitation\":{\"form\":{}}}";

    private final OneServer bench;

    LeasingClients(OneServer bench) {
        this.bench = bench;
    }

    LeasingClient named(String name) {
        return declaring(name, CAPABILITIES);
    }

    LeasingClient declaring(String name, String capabilities) {
        return new LeasingClient(bench, Caller.ANONYMOUS.withSession(name).withCapabilities(capabilities));
    }

    /** One that goes by an id. */
    LeasingClient known(String name, String id) {
        return of(name, id, Principal.ANONYMOUS);
    }

    LeasingClient of(String name, String id, Principal principal) {
        return new LeasingClient(
                bench,
                Caller.ANONYMOUS
                        .withSession(name)
                        .withCapabilities(CAPABILITIES)
                        .withClientId(id)
                        .withPrincipal(principal));
    }

    /** The sessions of the server in the order in which they were opened. */
    List<HeldTransport> sessions() {
        return bench.server.connections();
    }

    static void ask(HeldTransport session, String id) {
        session.receive(Request.of(MessageId.of(id), Methods.ELICITATION_CREATE, "{\"message\":\"?\"}"));
    }

    static void askRoots(HeldTransport session, String id) {
        session.receive(Request.of(MessageId.of(id), Methods.ROOTS_LIST));
    }

    /** Answers the ping that follows the first question of a modern client's call, and ends the round. */
    void pong(HeldTransport session) {
        var ping = session.last();
        assertThat(((Request) ping.message()).method()).isEqualTo(Methods.PING);
        session.answer(ping, "{}");
        endRound();
    }

    /** Lets the time pass in which a round is open after its ping. */
    void endRound() {
        bench.time.advance(Duration.ofMillis(20));
    }

    static void answerAll(HeldTransport session) {
        session.requests().forEach(out -> session.answer(out, "{}"));
    }

    /** All that was said to the server. */
    static String said(HeldTransport session) {
        return session.sent().stream().map(out -> out.message().json()).reduce("", String::concat);
    }
}
