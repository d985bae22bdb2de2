package io.mcpbridge.gateway;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.BridgeException;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Lets the signals of the system work on a daemon: TERM and INT end it, in good order the first time and at once
 * the second time; HUP reads the configuration again and never ends it.
 *
 * <p>Nobody but a command installs it, and takes it back by closing it.
 */
public final class Signals implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.mcpbridge");

    private final Daemon daemon;
    private final Supplier<BridgeConfiguration> configuration;
    private final AtomicInteger stops = new AtomicInteger();
    private final SystemSignals installed = new SystemSignals();

    private Signals(Daemon daemon, Supplier<BridgeConfiguration> configuration) {
        this.daemon = daemon;
        this.configuration = configuration;
    }

    /**
     * Installs the handlers; where the system lacks a signal, the others still work.
     *
     * @param configuration reads the configuration again; what it throws leaves the old one in force
     */
    public static Signals install(Daemon daemon, Supplier<BridgeConfiguration> configuration) {
        var signals = new Signals(daemon, configuration);
        signals.installed.handle("TERM", signals::stop);
        signals.installed.handle("INT", signals::stop);
        signals.installed.handle("HUP", signals::reload);
        return signals;
    }

    private void stop() {
        // A daemon that is ending already has been asked before, if only by its client on standard input.
        if (stops.incrementAndGet() > 1 || daemon.isEnding()) {
            LOG.log(Level.WARNING, "[mcp-bridge] asked to end a second time: ending at once");
            daemon.close();
            return;
        }
        try {
            daemon.drain();
        } catch (InterruptedException hurried) {
            daemon.close();
        }
    }

    private void reload() {
        try {
            daemon.reload(configuration.get());
        } catch (BridgeException wrong) {
            LOG.log(Level.ERROR, "[mcp-bridge] the old configuration stays: " + wrong.getMessage());
        } catch (RuntimeException defect) {
            // The outermost frame of a signal's thread: nobody above could react.
            LOG.log(Level.ERROR, "[mcp-bridge] the old configuration stays", defect);
        }
    }

    /** Puts back what handled the signals before. */
    @Override
    public void close() {
        installed.restore();
    }
}
