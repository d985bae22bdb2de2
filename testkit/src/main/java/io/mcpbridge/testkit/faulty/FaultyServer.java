package io.mcpbridge.testkit.faulty;

import io.mcpbridge.message.Era;
import io.mcpbridge.testkit.faulty.FaultyServerHandler.Host;
import io.mcpbridge.testkit.faulty.FaultyServerHandler.Way;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An MCP server in this process that follows a {@link FaultScript}. Its creator closes it; any thread may use it.
 *
 * <p>Its tools are {@code echo} ({@code text}), {@code slow} ({@code millis}), {@code count} ({@code key}), whose
 * executions {@link #ledger} reports, and {@code crash}. {@link #stop} ends it like a kill. {@link #start} starts it
 * again at the same address; the counts of all points restart, except that of {@code start}.
 */
public final class FaultyServer implements AutoCloseable {
    private final Era era;
    private final Path folder;
    private SocketAddress address;
    private volatile FaultScript script;
    private volatile Run run;

    private FaultyServer(SocketAddress address, Era era, FaultScript script) {
        this.address = address;
        this.era = era;
        this.script = script;
        try {
            this.folder = Files.createTempDirectory("faulty");
        } catch (IOException noFolder) {
            throw new UncheckedIOException(noFolder);
        }
        this.run = new Run();
        this.address = run.listener.address();
    }

    /** Starts a server for Streamable HTTP at a loopback port that the system chooses. */
    public static FaultyServer overHttp(Era era, FaultScript script) {
        return new FaultyServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), era, script);
    }

    /**
     * Starts a server at a Unix socket.
     *
     * @throws IllegalArgumentException if the script has faults that only HTTP supports
     */
    public static FaultyServer overUnix(Path socket, Era era, FaultScript script) {
        script.requireStreamOnly();
        return new FaultyServer(UnixDomainSocketAddress.of(socket), era, script);
    }

    /** The address: {@code http://…/mcp} or {@code unix:…}. */
    public URI uri() {
        return ConnectionAcceptor.uri(address, "/mcp");
    }

    private boolean isHttp() {
        return address instanceof InetSocketAddress;
    }

    /** The counts of starts and of executions. */
    public ExecutionCounter ledger() {
        return ExecutionCounter.in(folder);
    }

    /** The number of connections since the last start. */
    public int connections() {
        return run.listener.accepted();
    }

    /** Uses another script from the next start on. */
    public FaultyServer follow(FaultScript newScript) {
        if (!isHttp()) {
            newScript.requireStreamOnly();
        }
        script = newScript;
        return this;
    }

    /** Closes every connection and stops listener. */
    public void stop() {
        run.host.exit(0);
    }

    /** Starts again after {@link #stop}, at the same address. Only the ledger is kept. */
    public void start() {
        stop();
        run = new Run();
    }

    /** Ends the server and removes its files. Closing twice has no effect. */
    @Override
    public void close() {
        stop();
        try {
            for (var name : new String[] {"starts", "executions"}) {
                Files.deleteIfExists(folder.resolve(name));
            }
            Files.deleteIfExists(folder);
            if (address instanceof UnixDomainSocketAddress unix) {
                Files.deleteIfExists(unix.getPath());
            }
        } catch (IOException leftBehind) {
            throw new UncheckedIOException(leftBehind);
        }
    }

    /** One run of the server, from a start to a stop. */
    private final class Run {
        private final Host host = new Host(code -> stopListening(), hook -> {});
        private final ConnectionAcceptor listener;

        private Run() {
            var ledger = ExecutionCounter.in(folder);
            var handler = new FaultyServerHandler(script, era, ledger, host);
            var front = new FaultyServerFrontend(handler);
            listener = ConnectionAcceptor.at(address, channel -> front.serve(channel, isHttp()));
            try {
                handler.start(ledger.started(), new Way(OutputStream.nullOutputStream(), () -> host.exit(0)));
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        private void stopListening() {
            listener.close();
        }
    }
}
