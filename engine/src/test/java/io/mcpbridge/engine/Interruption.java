package io.mcpbridge.engine;

import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.tool.ToolDefinition;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Has something else happen once a call has found its place, before it is kept or sent there: that is when the catalog is
 * asked whether it is strict.
 */
final class Interruption {
    private final AtomicReference<Runnable> next = new AtomicReference<>(() -> {});

    /** What happens as the next call has found its place. */
    void atNextCall(Runnable what) {
        next.set(what);
    }

    ToolCatalog in(ToolCatalog catalog) {
        return new InterruptingCatalog(catalog);
    }

    private final class InterruptingCatalog implements ToolCatalog {
        private final ToolCatalog catalog;

        private InterruptingCatalog(ToolCatalog catalog) {
            this.catalog = catalog;
        }

        @Override
        public Snapshot snapshot() {
            return catalog.snapshot();
        }

        @Override
        public Change update(String server, List<ToolDefinition> listed) {
            return catalog.update(server, listed);
        }

        @Override
        public Change remove(String server) {
            return catalog.remove(server);
        }

        @Override
        public boolean isStrict() {
            next.getAndSet(() -> {}).run();
            return false;
        }

        @Override
        public void close() {
            catalog.close();
        }
    }
}
