package io.mcpbridge.gateway;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.BridgeException;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connects a daemon to the signals of the system: the first TERM or INT drains it, the second closes it at once; HUP
 * reloads the configuration and never ends the daemon.
 *
 * <p>Only a command installs it; closing it restores the previous handlers.
 */
public final class DaemonSignals implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.mcpbridge");

    private final Supplier<BridgeConfiguration> configuration;
    private final AtomicInteger stops = new AtomicInteger();
    private final AtomicBoolean isReloadPending = new AtomicBoolean();
    private final SystemSignals installed = new SystemSignals();
    private volatile @Nullable Daemon daemon;

    private DaemonSignals(Supplier<BridgeConfiguration> configuration) {
        this.configuration = configuration;
    }

    /**
     * Installs the handlers, before the daemon starts; signals before {@link #attach} are kept for it. If the system
     * lacks a signal, the others still work.
     *
     * @param configuration reads the configuration again; if it throws, the old one stays in force
     */
    public static DaemonSignals install(Supplier<BridgeConfiguration> configuration) {
        var signals = new DaemonSignals(configuration);
        signals.installed.handle("TERM", signals::stop);
        signals.installed.handle("INT", signals::stop);
        signals.installed.handle("HUP", signals::reload);
        return signals;
    }

    /** Directs the signals to a started daemon, including those that arrived before. */
    public void attach(Daemon started) {
        daemon = started;
        if (stops.get() > 0) {
            started.drainOrClose();
        } else {
            reloadIfPending(started);
        }
    }

    private void stop() {
        var isFirst = stops.incrementAndGet() == 1;
        var attached = daemon;
        if (attached == null) {
            return;
        }
        // A daemon that drains already counts as the first request, even if its stdio client caused the drain.
        if (!isFirst || attached.isEnding()) {
            LOG.log(Level.WARNING, "[mcp-bridge] second request to end: ending at once");
            attached.close();
            return;
        }
        attached.drainOrClose();
    }

    /** Sets the flag first: the later one of this method and {@link #attach} sees both flag and daemon. */
    private void reload() {
        isReloadPending.set(true);
        var attached = daemon;
        if (attached != null) {
            reloadIfPending(attached);
        }
    }

    private void reloadIfPending(Daemon attached) {
        if (!isReloadPending.compareAndSet(true, false)) {
            return;
        }
        try {
            attached.reload(configuration);
        } catch (BridgeException wrong) {
            LOG.log(Level.ERROR, "[mcp-bridge] the old configuration stays: " + wrong.getMessage());
        } catch (RuntimeException defect) {
            // The outermost frame of the signal's thread.
            LOG.log(Level.ERROR, "[mcp-bridge] the old configuration stays", defect);
        }
    }

    /** Restores the previous signal handlers. */
    @Override
    public void close() {
        installed.restore();
    }
}
