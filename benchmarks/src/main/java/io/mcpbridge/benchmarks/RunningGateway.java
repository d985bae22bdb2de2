package io.mcpbridge.benchmarks;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** A gateway that was started, in a folder of its own. */
final class RunningGateway implements Closeable {
    private static final Duration START = Duration.ofSeconds(60);

    private final Gateway gateway;
    private final Peers peers = new Peers();
    private final int port;
    private final long begun;
    private final Process process;

    RunningGateway(Gateway gateway) throws IOException {
        this.gateway = gateway;
        this.port = Peers.freePort();
        var config = peers.folder().resolve(gateway.config().startsWith("[") ? "config.toml" : "config.json");
        Files.writeString(config, replaced(gateway.config()));
        var command = new ArrayList<>(List.of(gateway.program().toString()));
        gateway.arguments().forEach(argument -> command.add(replaced(argument).replace("%config%", config.toString())));
        this.begun = System.nanoTime();
        this.process = peers.run("gateway", command);
    }

    private String replaced(String text) {
        return text.replace("%port%", Integer.toString(port)).replace("%socket%", socket().toString());
    }

    Path socket() {
        return peers.socket("front");
    }

    /** Waits until the gateway answers {@code initialize}. */
    Session awaitSession() throws Exception {
        return await(this::initialized);
    }

    /** Confirms a session, and waits until the gateway answers a call in it. */
    void awaitCall(Session session) throws Exception {
        session.confirm();
        var unused = await(() -> {
            try {
                session.call();
            } catch (IOException notYet) {
                session.reconnect();
                throw notYet;
            }
            return session;
        });
    }

    private Session await(Callable<Session> attempt) throws Exception {
        while (true) {
            try {
                return attempt.call();
            } catch (IOException notYet) {
                if (System.nanoTime() - begun > START.toNanos() || process.waitFor(2, TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException("%s does not answer: %s; its log: %s"
                            .formatted(gateway.name(), notYet, Files.readString(peers.log("gateway"))));
                }
            }
        }
    }

    private Session initialized() throws IOException {
        var call = EchoCall.of(gateway.tool(), "message");
        return switch (gateway.front()) {
            case UNIX -> RawSocket.open(socket(), call);
            case HTTP -> HttpCaller.open(port, gateway.path(), call);
            case SSE -> SseCaller.open(port, gateway.path(), call);
        };
    }

    private Contender caller() throws IOException {
        return Session.confirmed(initialized());
    }

    /** Opens callers, each with a session of its own, except where the gateway starts a server for each session. */
    List<Contender> callers(int count) throws IOException {
        var callers = new ArrayList<Contender>(List.of(caller()));
        var servers = Usage.servers(handle());
        callers.add(caller());
        boolean isShared = Usage.servers(handle()) > servers;
        while (callers.size() < count) {
            callers.add(
                    isShared && callers.get(0) instanceof HttpCaller first
                            ? first.sameSession(port, EchoCall.of(gateway.tool(), "message"))
                            : caller());
        }
        return callers;
    }

    /** Since the command was started, in milliseconds. */
    double millis() {
        return (System.nanoTime() - begun) / 1e6;
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    /** Ends the gateway and the processes that it started. */
    @Override
    public void close() throws IOException {
        peers.close();
    }
}
