package io.mcpbridge.engine;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.testkit.HeldTransport;
import java.util.List;

/** Clients of one server that can be asked something, and what is said in its sessions. */
final class SeatedClients {
    static final String CAPABILITIES = "{\"elicitation\":{\"form\":{}}}";

    private final OneServer bench;

    SeatedClients(OneServer bench) {
        this.bench = bench;
    }

    SeatedClient named(String name) {
        return declaring(name, CAPABILITIES);
    }

    SeatedClient declaring(String name, String capabilities) {
        return new SeatedClient(bench, Caller.builder().session(name).capabilities(capabilities));
    }

    /** One that goes by an id. */
    SeatedClient known(String name, String id) {
        return of(name, id, Principal.ANONYMOUS);
    }

    SeatedClient of(String name, String id, Principal principal) {
        return new SeatedClient(
                bench,
                Caller.builder()
                        .session(name)
                        .capabilities(CAPABILITIES)
                        .clientId(id)
                        .principal(principal));
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

    static void answerAll(HeldTransport session) {
        session.requests().forEach(out -> session.answer(out, "{}"));
    }

    /** All that was said to the server. */
    static String said(HeldTransport session) {
        return session.sent().stream().map(out -> out.message().json()).reduce("", String::concat);
    }
}
