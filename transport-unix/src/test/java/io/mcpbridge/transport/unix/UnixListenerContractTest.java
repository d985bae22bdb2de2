package io.mcpbridge.transport.unix;

import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.testkit.RawClient;
import io.mcpbridge.testkit.contract.ListenerContract;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class UnixListenerContractTest extends ListenerContract {

    @RegisterExtension
    final TestEnvironment environment = new TestEnvironment();

    @TempDir
    Path folder;

    @Override
    protected Listener listener() {
        var settings =
                Settings.of(Map.of("path", folder.resolve("run/bridge.sock").toString()));
        return new UnixListenerProvider().create(settings, environment.get());
    }

    @Override
    protected RawClient connect(URI address) throws IOException {
        return LineClient.to(address);
    }

    @Override
    protected TransportTraits.Shape shape() {
        return TransportTraits.Shape.SHARED_STREAM;
    }
}
