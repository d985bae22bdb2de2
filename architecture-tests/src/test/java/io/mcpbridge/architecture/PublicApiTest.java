package io.mcpbridge.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code docs/api/<module>.txt} is what others can see of a module, so that a change of it is reviewed as such.
 *
 * <p>With {@code MCP_BRIDGE_API=write} in the environment the files are written instead of compared.
 */
class PublicApiTest {
    private static final boolean WRITES = "write".equals(System.getenv("MCP_BRIDGE_API"));
    private static final Path FOLDER = Repository.root().resolve("docs/api");

    /** What the exported types of each module that has any look like from outside. */
    private static final Map<String, String> API = describe();

    private static Map<String, String> describe() {
        var modules = Modules.ofTheBridge();
        var classes = new TreeMap<String, List<Class<?>>>();
        new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.mcpbridge").stream()
                        .filter(it -> !it.getPackageName().startsWith("io.mcpbridge.architecture"))
                        .forEach(it -> classes.merge(modules.nameOf(it), List.of(it.reflect()), PublicApiTest::both));
        var described = new TreeMap<String, String>();
        classes.forEach((module, types) -> described.put(
                module,
                PublicApi.of(types.stream()
                        .filter(it -> Descriptors.isExported(module, it.getPackageName()))
                        .toList())));
        described.values().removeIf(String::isEmpty);
        return described;
    }

    private static <T> List<T> both(Collection<? extends T> some, Collection<? extends T> more) {
        return Stream.<T>concat(some.stream(), more.stream()).toList();
    }

    @BeforeAll
    static void writeIfAskedTo() throws IOException {
        if (WRITES) {
            Files.createDirectories(FOLDER);
            for (var each : API.entrySet()) {
                Files.writeString(FOLDER.resolve(each.getKey() + ".txt"), each.getValue());
            }
        }
    }

    static Stream<String> modules() {
        return API.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void apiFileMatchesThePublicTypesOfTheModule(String module) {
        assertThat(FOLDER.resolve(module + ".txt"))
                .as(
                        "the exported types of '%s'; if the change is meant, run this test with MCP_BRIDGE_API=write",
                        module)
                .exists()
                .content()
                .isEqualTo(API.get(module));
    }

    @Test
    void moduleWithoutPublicTypesHasNoApiFile() throws IOException {
        try (var files = Files.list(FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            modules().map(module -> module + ".txt").toList());
        }
    }

    @Test
    void onlyPublicAndProtectedMembersAreWritten() {
        List<Class<?>> classes = List.of(
                ApiSample.Value.class,
                ApiSample.Kind.class,
                ApiSample.Hidden.class,
                ApiSample.Doing.class,
                ApiSample.class);

        assertThat(PublicApi.of(classes)).isEqualTo("""
            sealed abstract class io.mcpbridge.architecture.ApiSample<T extends CharSequence> : AutoCloseable
                static final int LIMIT
                protected new(java.util.List<? super T>)
                abstract java.util.Map<String, T> parts() throws java.io.IOException
                protected E kind<E extends Enum<E>>(Class<E>, int...)
                void close()

            interface io.mcpbridge.architecture.ApiSample$Doing
                default void may()
                void must()

            enum io.mcpbridge.architecture.ApiSample$Kind
                static final io.mcpbridge.architecture.ApiSample$Kind ONE

            record io.mcpbridge.architecture.ApiSample$Value
                new(String)
                String name()
            """);
    }
}
