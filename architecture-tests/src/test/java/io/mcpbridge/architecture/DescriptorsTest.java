package io.mcpbridge.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.mcpbridge.spi.Provider;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleDescriptor.Provides;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code module-info.java} of each module declares. */
class DescriptorsTest {
    private static final Path ROOT = Repository.root();

    /** Libraries that they use have no descriptor. */
    private static final Set<String> AUTOMATIC = Set.of("guice", "sdk", "telemetry");

    /** They put the parts together. A plug-in is none of them: what ours can reach, a third party's can. */
    private static final Set<String> ASSEMBLERS =
            Set.of("io.mcpbridge.engine", "io.mcpbridge.server", "io.mcpbridge.gateway", "io.mcpbridge.cli");

    static Stream<String> described() {
        return Descriptors.names().stream();
    }

    @Test
    void everyModuleHasADescriptorUnlessALibraryHasNone() {
        assertThat(Descriptors.names())
                .containsExactlyInAnyOrderElementsOf(Modules.ofTheBridge()
                        .names()
                        .filter(name -> !AUTOMATIC.contains(name))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"guice", "sdk", "telemetry"})
    void moduleWithoutADescriptorSetsItsNameInBothBuilds(String module) throws IOException {
        var name = "io.mcpbridge." + module;

        assertThat(ROOT.resolve(module).resolve("pom.xml"))
                .content()
                .contains("<Automatic-Module-Name>" + name + "</Automatic-Module-Name>");
        assertThat(ROOT.resolve(module).resolve("build.gradle.kts"))
                .content()
                .contains("\"Automatic-Module-Name\" to \"" + name + "\"");
    }

    @ParameterizedTest
    @MethodSource("described")
    void descriptorProvidesTheServicesOfTheServicesFiles(String module) throws IOException {
        var provided = Descriptors.of(module).provides().stream()
                .collect(Collectors.toMap(Provides::service, Provides::providers));

        assertThat(provided).isEqualTo(services(module));
    }

    @Test
    void coreLooksUpEveryExtensionPoint() {
        var points = new ClassFileImporter()
                .importPackages("io.mcpbridge.spi").stream()
                        .filter(type -> type.isInterface() && type.isAssignableTo(Provider.class))
                        .map(type -> type.getName())
                        .filter(name -> !name.equals(Provider.class.getName()))
                        .toList();

        assertThat(Descriptors.of("core").uses()).containsExactlyInAnyOrderElementsOf(points);
    }

    @ParameterizedTest
    @MethodSource("described")
    void qualifiedExportsGoToAssemblersOnly(String module) {
        assertThat(Descriptors.of(module).exports().stream()
                        .filter(Exports::isQualified)
                        .flatMap(it -> it.targets().stream()))
                .isSubsetOf(ASSEMBLERS);
    }

    @Test
    void engineHasOneAssemblyPackage() {
        assertThat(Descriptors.of("engine").exports().stream().filter(Exports::isQualified))
                .extracting(Exports::source)
                .containsExactly("io.mcpbridge.engine");
    }

    private static Map<String, List<String>> services(String module) throws IOException {
        var services = new TreeMap<String, List<String>>();
        var folder = ROOT.resolve(module).resolve("src/main/resources/META-INF/services");
        if (Files.isDirectory(folder)) {
            try (var files = Files.list(folder)) {
                for (var file : files.toList()) {
                    services.put(file.getFileName().toString(), Files.readAllLines(file));
                }
            }
        }
        return services;
    }
}
