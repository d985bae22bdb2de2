package io.mcpbridge.transport.unix;

import io.mcpbridge.files.DaemonSocketLocation;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.stream.ClientStreamLimits;

/** Provides {@code unix}: listeners for clients on this machine, authenticated by the user they run as. */
public final class UnixListenerProvider implements ListenerProvider {

    @Override
    public Id id() {
        return new Id("unix", SPI_VERSION);
    }

    @Override
    public Listener create(Settings settings, Environment environment) {
        var usual = DaemonSocketLocation.in(environment.variables()).ofDaemon();
        var lines = ClientStreamLimits.of(environment.limits());
        return new UnixListener(UnixListenerSettings.from(settings, usual, lines), environment);
    }
}
