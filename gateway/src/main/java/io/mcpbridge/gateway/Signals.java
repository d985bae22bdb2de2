package io.mcpbridge.gateway;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.BridgeException;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets the signals of the system work on a daemon: TERM and INT end it, in good order the first time and at once
 * the second time; HUP reads the configuration again and never ends it.
 *
 * <p>Nobody but a command installs it, and takes it back by closing it.
 */
public final class Signals implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.mcpbridge");

    private final Supplier<BridgeConfiguration> configuration;
    private final AtomicInteger stops = new AtomicInteger();
    private final AtomicBoolean isReloadWanted = new AtomicBoolean();
    private final SystemSignals installed = new SystemSignals();
    private volatile @Nullable Daemon daemon;

    private Signals(Supplier<BridgeConfiguration> configuration) {
        this.configuration = configuration;
    }

    /**
     * Installs the handlers, before the daemon starts: what is wished before {@link #attend} is kept.
     * Where the system lacks a signal, the others still work.
     *
     * @param configuration reads the configuration again; what it throws leaves the old one in force
     */
    public static Signals install(Supplier<BridgeConfiguration> configuration) {
        var signals = new Signals(configuration);
        signals.installed.handle("TERM", signals::stop);
        signals.installed.handle("INT", signals::stop);
        signals.installed.handle("HUP", signals::reload);
        return signals;
    }

    /** Lets the signals work on a daemon that has started, those that have come already too. */
    public void attend(Daemon started) {
        daemon = started;
        if (stops.get() > 0) {
            end(started);
        } else {
            reloadIfWanted(started);
        }
    }

    private void stop() {
        var isFirst = stops.incrementAndGet() == 1;
        var attended = daemon;
        if (attended == null) {
            return;
        }
        // A daemon that is ending already has been asked before, if only by its client on standard input.
        if (!isFirst || attended.isEnding()) {
            LOG.log(Level.WARNING, "[mcp-bridge] asked to end a second time: ending at once");
            attended.close();
            return;
        }
        end(attended);
    }

    private static void end(Daemon attended) {
        try {
            attended.drain();
        } catch (InterruptedException hurried) {
            attended.close();
        }
    }

    /** The wish is noted first, so that whoever of the two comes second, this or {@link #attend}, sees it. */
    private void reload() {
        isReloadWanted.set(true);
        var attended = daemon;
        if (attended != null) {
            reloadIfWanted(attended);
        }
    }

    private void reloadIfWanted(Daemon attended) {
        if (!isReloadWanted.compareAndSet(true, false)) {
            return;
        }
        try {
            attended.reload(configuration);
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
