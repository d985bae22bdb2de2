package io.mcpbridge.translate;

import io.mcpbridge.call.Handler;
import io.mcpbridge.message.Era;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.upstream.Upstream;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a translation has to know of its server.
 *
 * @param name its configured name
 * @param era the era that it speaks; empty before it was connected
 * @param connect connects it for the caller of a call, which is not sent
 * @param environment clock, alarms and random numbers
 */
public record ServerSide(String name, Supplier<Optional<Era>> era, Handler connect, Environment environment) {

    static ServerSide of(Upstream upstream) {
        return new ServerSide(upstream.name(), upstream::era, upstream::connect, upstream.environment());
    }

    boolean speaks(Era asked) {
        return era.get().filter(asked::equals).isPresent();
    }
}
