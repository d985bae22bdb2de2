package io.mcpbridge.benchmarks;

import java.io.Closeable;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
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
    private final Path folder = Files.createTempDirectory("mcp-bridge-gateway");
    private final int port;
    private final long begun;
    private final Process process;

    RunningGateway(Gateway gateway) throws IOException {
        this.gateway = gateway;
        this.port = Peers.freePort();
        var config = folder.resolve(gateway.config().startsWith("[") ? "config.toml" : "config.json");
        Files.writeString(config, replaced(gateway.config()));
        var command = new ArrayList<>(List.of(gateway.program().toString()));
        gateway.arguments().forEach(argument -> command.add(replaced(argument).replace("%config%", config.toString())));
        var builder = new ProcessBuilder(command)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(folder.resolve("log").toFile());
        for (var variable : List.of("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")) {
            builder.environment().put(variable, folder.toString());
        }
        this.begun = System.nanoTime();
        this.process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    private String replaced(String text) {
        return text.replace("%port%", Integer.toString(port)).replace("%socket%", socket().toString());
    }

    Path socket() {
        return folder.resolve("front.sock");
    }

    /** Opens a session as soon as the gateway answers. */
    Contender awaitCaller() throws Exception {
        return await(this::caller);
    }

    /** Calls as soon as the gateway answers calls. */
    void awaitCall() throws Exception {
        await(() -> {
            var caller = caller();
            try (caller) {
                caller.call();
            }
            return caller;
        });
    }

    private Contender await(Callable<Contender> attempt) throws Exception {
        while (true) {
            try {
                return attempt.call();
            } catch (IOException notYet) {
                if (System.nanoTime() - begun > START.toNanos() || process.waitFor(2, TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException("%s does not answer: %s; its log: %s"
                            .formatted(gateway.name(), notYet, Files.readString(folder.resolve("log"))));
                }
            }
        }
    }

    /** Opens a session. */
    Contender caller() throws IOException {
        var call = EchoCall.of(gateway.tool(), "message");
        return switch (gateway.front()) {
            case UNIX -> RawSocket.calling(socket(), call);
            case HTTP -> HttpCaller.open(port, gateway.path(), call);
            case SSE -> SseCaller.open(port, gateway.path(), call);
        };
    }

    /** Opens callers, each with a session of its own, or all in one session if the gateway starts a server for each. */
    List<Contender> callers(int count) throws IOException {
        var callers = new ArrayList<Contender>(List.of(caller()));
        var servers = Usage.servers(handle());
        callers.add(caller());
        boolean isShared = Usage.servers(handle()) > servers;
        while (callers.size() < count) {
            callers.add(
                    isShared && callers.get(0) instanceof HttpCaller first
                            ? first.beside(port, gateway.path(), EchoCall.of(gateway.tool(), "message"))
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
        var children = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        children.forEach(ProcessHandle::destroyForcibly);
        Peers.delete(folder);
    }
}
