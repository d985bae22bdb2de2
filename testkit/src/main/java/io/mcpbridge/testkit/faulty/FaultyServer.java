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
 * <p>It has the tools {@code echo} ({@code text}), {@code slow} ({@code millis}), {@code count} ({@code key}), whose
 * executions the {@link #ledger} tells, and {@code crash}. {@link #stop} ends it as a kill would, and {@link #start}
 * brings it back at the same address with its counts of points anew, save for the starts.
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
        this.address = run.listening.address();
    }

    /** Serves over Streamable HTTP at a port of loopback that the system chooses. */
    public static FaultyServer overHttp(Era era, FaultScript script) {
        return new FaultyServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), era, script);
    }

    /**
     * Serves at a Unix socket.
     *
     * @throws IllegalArgumentException if the script has faults that only HTTP can show
     */
    public static FaultyServer overUnix(Path socket, Era era, FaultScript script) {
        script.requireStreamOnly();
        return new FaultyServer(UnixDomainSocketAddress.of(socket), era, script);
    }

    /** Where it serves: {@code http://…/mcp} or {@code unix:…}. */
    public URI uri() {
        return SocketServer.uri(address, "/mcp");
    }

    private boolean isHttp() {
        return address instanceof InetSocketAddress;
    }

    /** How often it was started, and what ran. */
    public ExecutionCounter ledger() {
        return ExecutionCounter.in(folder);
    }

    /** How many connections there were since it was started last. */
    public int connections() {
        return run.listening.accepted();
    }

    /** Follows another script from its next start on. */
    public FaultyServer follow(FaultScript newScript) {
        if (!isHttp()) {
            newScript.requireStreamOnly();
        }
        script = newScript;
        return this;
    }

    /** Ends every connection and listens no more. */
    public void stop() {
        run.host.exit(0);
    }

    /** Listens again after {@link #stop}, at the same address, having forgotten everything but the ledger. */
    public void start() {
        stop();
        run = new Run();
    }

    /** Ends it, and removes what it kept. Closing twice is harmless. */
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

    /** One life of the server. */
    private final class Run {
        private final Host host = new Host(code -> stopListening(), hook -> {});
        private final SocketServer listening;

        private Run() {
            var ledger = ExecutionCounter.in(folder);
            var conversation = new FaultyServerHandler(script, era, ledger, host);
            var front = new Front(conversation);
            listening = SocketServer.at(address, channel -> front.serve(channel, isHttp()));
            try {
                conversation.start(ledger.started(), new Way(OutputStream.nullOutputStream(), () -> host.exit(0)));
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        private void stopListening() {
            listening.close();
        }
    }
}
