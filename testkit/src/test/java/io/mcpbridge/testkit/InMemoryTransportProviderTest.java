package io.mcpbridge.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportProvider;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InMemoryTransportProviderTest {

    @Test
    void givenProviderIsFoundByNameAndScheme() {
        var memory = InMemoryTransportProvider.to(new EchoScript());

        var found = Providers.of(TransportProvider.class, List.of(memory));

        assertThat(found.named("memory")).isSameAs(memory);
        assertThat(memory.schemes()).containsExactly("memory");
    }

    @Test
    void allTransportsAreKept() {
        var memory = InMemoryTransportProvider.of(InMemoryTransport::unreachable);

        var first = memory.create(Settings.of(Map.of()), environment());
        var second = memory.create(Settings.of(Map.of()), environment());

        assertThat(memory.made()).containsExactly(first, second);
    }

    private static Environment environment() {
        return Environment.of(new FakeTimekeeper(), Runnable::run, new NoProcesses());
    }

    private static final class NoProcesses implements ProcessLauncher {

        @Override
        public ChildProcess launch(LaunchCommand command) {
            throw TransportException.initFailed("no process is started here");
        }

        @Override
        public void close() {}
    }
}
