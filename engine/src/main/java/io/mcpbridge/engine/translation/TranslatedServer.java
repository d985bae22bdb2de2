package io.mcpbridge.engine.translation;

import io.mcpbridge.call.Handler;
import io.mcpbridge.engine.upstream.Upstream;
import io.mcpbridge.message.Era;
import io.mcpbridge.spi.Environment;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The server of a translation.
 *
 * @param name the configured name
 * @param era the era of the server; empty before the first connection
 * @param connect connects the server for the caller of a call, without sending the call
 * @param environment clock, alarms and random numbers
 */
public record TranslatedServer(String name, Supplier<Optional<Era>> era, Handler connect, Environment environment) {

    static TranslatedServer of(Upstream upstream) {
        return new TranslatedServer(
                upstream.name(),
                upstream::era,
                upstream::connect,
                upstream.parts().environment());
    }

    boolean speaks(Era asked) {
        return era.get().filter(asked::equals).isPresent();
    }
}
