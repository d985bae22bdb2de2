package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.Command;
import java.util.List;
import java.util.Optional;

/** L0: a plain process. */
final class Unheld implements Means {

    @Override
    public String name() {
        return "nothing";
    }

    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public Command wrap(Command command) {
        return command.through(List.of());
    }
}
