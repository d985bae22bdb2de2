package io.mcpbridge.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.spi.Provider;
import io.mcpbridge.testkit.LeakCheck;
import java.lang.reflect.Modifier;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Contract tests for every {@link Provider}: it is found by its name on every thread, whatever the context class
 * loader, and loading it has no effect.
 *
 * @param <P> the provider's type, such as {@link io.mcpbridge.spi.TransportProvider}
 */
@Contract
public abstract class ProviderContract<P extends Provider> {

    /** The provider's type, which names the services file. */
    protected abstract Class<P> service();

    /** The class under test. */
    protected abstract Class<? extends P> implementation();

    /** The name that selects the provider in the configuration. */
    protected abstract String name();

    @Test
    void isFoundByItsName() {
        assertThat(found()).isInstanceOf(implementation());
    }

    @Test
    void nameIsTheDocumentedOne() {
        assertThat(found().name()).isEqualTo(name()).matches("[a-z0-9][a-z0-9-]*");
    }

    @Test
    void spiVersionIsTheCurrentOne() {
        assertThat(found().id().spiVersion()).isEqualTo(Provider.SPI_VERSION);
    }

    @Test
    void isFoundWithoutAContextLoader() {
        var thread = Thread.currentThread();
        var before = thread.getContextClassLoader();
        thread.setContextClassLoader(null);
        try {
            assertThat(found()).isInstanceOf(implementation());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void isFoundFromAPool() throws Exception {
        var there = ForkJoinPool.commonPool().submit(this::found).get(30, TimeUnit.SECONDS);

        assertThat(there).isInstanceOf(implementation());
    }

    @Test
    void publicConstructorTakesNoArguments() throws Exception {
        assertThat(Modifier.isPublic(implementation().getModifiers())).isTrue();
        assertThat(Modifier.isPublic(implementation().getConstructor().getModifiers()))
                .isTrue();
    }

    @Test
    void lookupStartsNothing() {
        var before = LeakCheck.now();

        found();

        before.assertNothingLeft();
    }

    private P found() {
        return Providers.of(service()).named(name());
    }
}
