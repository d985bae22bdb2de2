package io.mcpbridge.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.ToolCatalogProvider;
import io.mcpbridge.spi.TransportProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProvidersTest {

    @TempDir
    Path folder;

    @Test
    void providersAreFoundByName() throws IOException {
        var providers = find(Pigeons.White.class, Pigeons.Grey.class);

        assertThat(providers.names()).containsExactly("grey", "white");
        assertThat(providers.named("white").letter()).isEqualTo("White");
        assertThat(providers.all()).extracting(PigeonProvider::letter).containsExactly("Grey", "White");
        assertThat(providers.problems()).isEmpty();
    }

    @Test
    void missingNameIsReportedWithTheNamesFound() throws IOException {
        var providers = find(Pigeons.White.class, Pigeons.Grey.class);

        assertThatThrownBy(() -> providers.named("black"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("there is no pigeon 'black'; found are grey, white; another needs the jar of a plug-in");
    }

    @Test
    void duplicateNameFailsTheStartAndNamesBoth() {
        assertThatThrownBy(() -> find(Pigeons.White.class, Pigeons.Grey.class, Pigeons.OtherWhite.class))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("the PigeonProvider 'white' exists 2 times: ")
                .hasMessageContaining(Pigeons.White.class.getName() + " in ")
                .hasMessageContaining(Pigeons.OtherWhite.class.getName() + " in ")
                .hasMessageEndingWith("remove all but one. Found are grey, white");
    }

    @Test
    void providerListedTwiceIsFoundOnce() throws IOException {
        assertThat(find(Pigeons.White.class, Pigeons.White.class).names()).containsExactly("white");
    }

    @Nested
    class Broken {

        @Test
        void brokenProvidersDoNotHideTheOthers() throws IOException {
            var providers = find(Pigeons.Broken.class, Pigeons.White.class, Pigeons.Unlinked.class, Pigeons.Grey.class);

            assertThat(providers.names()).containsExactly("grey", "white");
            assertThat(providers.problems())
                    .hasSize(2)
                    .anySatisfy(
                            problem -> assertThat(problem).contains("Broken").contains("broken wing"))
                    .anySatisfy(problem -> assertThat(problem).contains("Feather"));
        }

        @Test
        void missingClassDoesNotHideTheOthers() throws IOException {
            var providers = findLines("org.example.Gone", Pigeons.Hawk.class.getName(), Pigeons.White.class.getName());

            assertThat(providers.names()).containsExactly("white");
            assertThat(providers.problems())
                    .hasSize(2)
                    .anySatisfy(
                            problem -> assertThat(problem)
                                    .isEqualTo(
                                            "META-INF/services/io.mcpbridge.discovery.PigeonProvider lists 'org.example.Gone': not found; replace the jar or remove it"))
                    .anySatisfy(problem -> assertThat(problem).contains("Hawk"));
        }

        @Test
        void providerWithoutAUsableNameIsReported() throws IOException {
            var providers = find(Pigeons.Nameless.class, Pigeons.Shouting.class, Pigeons.White.class);

            assertThat(providers.names()).containsExactly("white");
            assertThat(providers.problems())
                    .hasSize(2)
                    .anySatisfy(problem ->
                            assertThat(problem).contains("cannot tell its name").contains("forgot it"))
                    .anySatisfy(problem -> assertThat(problem)
                            .contains("has the name 'WHITE!', which must be lower-case letters, digits and dashes"));
        }

        @Test
        void providerOfAnotherVersionIsRejectedByName() throws IOException {
            var providers = find(Pigeons.Old.class, Pigeons.White.class);

            assertThat(providers.names()).containsExactly("white");
            assertThatThrownBy(() -> providers.named("old"))
                    .hasMessageContaining(Pigeons.Old.class.getName())
                    .hasMessageContaining("was built for version 2 of the extension points, but this is version 1");
        }

        @Test
        void searchEndsAfterAHundredProblems() throws IOException {
            var lines = Stream.iterate(1, i -> i + 1)
                    .limit(5_000)
                    .map(i -> "org.example.Gone" + i)
                    .toArray(String[]::new);

            assertThat(findLines(lines).problems()).hasSize(100);
        }
    }

    @Nested
    class Shaded {

        @Test
        void emptyRegistryNamesTheServicesFileAndTheRemedy() throws IOException {
            var providers = findLines();

            assertThatThrownBy(() -> providers.named("white"))
                    .hasMessageContaining("there is no pigeon 'white'; none was found; add the artifact that has it")
                    .hasMessageContaining("META-INF/services/io.mcpbridge.discovery.PigeonProvider")
                    .hasMessageContaining("ServicesResourceTransformer")
                    .hasMessageContaining("mergeServiceFiles");
        }

        @Test
        void overwrittenServicesFileShowsTheProvidersFound() throws IOException {
            // Merging two jars without joining their services files keeps the file of one of them.
            var providers = find(Pigeons.Grey.class);

            assertThatThrownBy(() -> providers.named("white")).hasMessageContaining("found are grey; another");
        }

        @Test
        void providerOfOneOfOurArtifactsNamesIt() {
            assertThatThrownBy(() ->
                            Providers.only(TransportProvider.class, List.of()).named("http"))
                    .hasMessageStartingWith(
                            "there is no transport 'http'; none was found; add the artifact io.mcpbridge:mcp-bridge-transport-http to the class path");
        }

        @Test
        void givenProviderNeedsNoServicesFile() throws IOException {
            try (var loader = ServicesJar.loader(folder, PigeonProvider.class, List.of())) {
                var providers = Providers.of(PigeonProvider.class, loader, List.of(new Pigeons.White()));

                assertThat(providers.named("white").letter()).isEqualTo("White");
            }
        }
    }

    @Nested
    class HandedIn {

        @Test
        void onlyTheGivenProvidersAreUsed() {
            assertThat(Providers.only(AuditSinkProvider.class, List.of()).names())
                    .isEmpty();
            assertThat(Providers.only(PigeonProvider.class, List.of(new Pigeons.White()))
                            .names())
                    .containsExactly("white");
        }

        @Test
        void givenProvidersAreAddedToThoseFound() throws IOException {
            try (var loader = loader(Pigeons.White.class)) {
                var providers = Providers.of(PigeonProvider.class, loader, List.of(new Pigeons.Grey()));

                assertThat(providers.names()).containsExactly("grey", "white");
            }
        }

        @Test
        void givenProviderWithADuplicateNameIsRejected() throws IOException {
            try (var loader = loader(Pigeons.White.class)) {
                assertThatThrownBy(() -> Providers.of(PigeonProvider.class, loader, List.of(new Pigeons.OtherWhite())))
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContaining("'white' exists 2 times");
            }
        }
    }

    @Nested
    class Loaders {

        @Test
        void contextLoaderIsUsedOnlyIfTheOwnOneFindsNothing() throws IOException {
            try (var loader =
                    ServicesJar.loader(folder, ToolCatalogProvider.class, List.of(Pigeons.Hawk.class.getName()))) {
                var providers = withContextLoader(loader, () -> Providers.of(ToolCatalogProvider.class));

                assertThat(providers.names()).contains("memory");
                assertThat(providers.problems()).isEmpty();
            }
        }

        @Test
        void contextLoaderFindsOtherProviders() throws IOException {
            try (var loader = loader(Pigeons.White.class)) {
                var providers = withContextLoader(loader, () -> Providers.of(PigeonProvider.class));

                assertThat(providers.names()).containsExactly("white");
            }
        }

        @Test
        void contextLoaderMayBeMissing() {
            var providers = withContextLoader(null, () -> Providers.of(ToolCatalogProvider.class));

            assertThat(providers.names()).contains("memory");
        }

        @Test
        void poolThreadsFindTheSameProviders() throws Exception {
            var here = Providers.of(ToolCatalogProvider.class).names();

            var there = ForkJoinPool.commonPool()
                    .submit(() -> Providers.of(ToolCatalogProvider.class).names())
                    .get(30, TimeUnit.SECONDS);

            assertThat(there).isEqualTo(here).contains("memory");
        }

        @Test
        void foundProvidersDoNotDependOnTheContextLoader() throws IOException {
            var providers = find(Pigeons.White.class);

            var name = withContextLoader(null, () -> providers.named("white").name());

            assertThat(name).isEqualTo("white");
        }
    }

    private Providers<PigeonProvider> find(Class<?>... classes) throws IOException {
        return findLines(Stream.of(classes).map(Class::getName).toArray(String[]::new));
    }

    private Providers<PigeonProvider> findLines(String... lines) throws IOException {
        try (var loader = ServicesJar.loader(folder, PigeonProvider.class, List.of(lines))) {
            return Providers.of(PigeonProvider.class, loader, new ArrayList<>());
        }
    }

    private java.net.URLClassLoader loader(Class<?> provider) throws IOException {
        return ServicesJar.loader(folder, PigeonProvider.class, List.of(provider.getName()));
    }

    private static <T> T withContextLoader(@Nullable ClassLoader loader, Supplier<T> action) {
        var before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(loader);
        try {
            return action.get();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
