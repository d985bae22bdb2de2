package io.mcpbridge.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Applies the rules to the classes of all modules, as they lie on the class path. */
class ArchitectureTest {

    /** Fewer would mean that modules were overlooked; raise it as the code grows. */
    private static final int MIN_CLASSES = 800;

    private static final Modules MODULES = Modules.ofTheBridge();

    private static final Rules RULES = new Rules(MODULES);

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(location -> isOfModule(location))
            .importPackages("io.mcpbridge");

    /** Classes of this module are not judged. */
    private static boolean isOfModule(Location location) {
        return MODULES.names().anyMatch(module -> isOfModule(location, module));
    }

    private static boolean isOfModule(Location location, String module) {
        return location.contains("/" + module + "/target/classes/")
                || location.contains("/" + module + "/build/classes/")
                || location.contains("/mcp-bridge-" + module + "-0")
                || location.contains("/mcp-bridge-" + module + "-1");
    }

    @Test
    void allModulesWereSeen() {
        Set<String> seen = CLASSES.stream().map(MODULES::nameOf).collect(Collectors.toSet());

        assertThat(seen).containsExactlyInAnyOrderElementsOf(MODULES.names().toList());
        assertThat(CLASSES.size()).isGreaterThanOrEqualTo(MIN_CLASSES);
    }

    @Test
    void classesStayInThePackagesOfTheirModule() {
        assertThat(CLASSES)
                .allSatisfy(it -> assertThat(isOfModule(locationOf(it), MODULES.nameOf(it)))
                        .as("%s lies in the module '%s'", it.getName(), MODULES.nameOf(it))
                        .isTrue());
    }

    private static Location locationOf(JavaClass it) {
        return Location.of(it.getSource().orElseThrow().getUri());
    }

    @Test
    void bomHasTheModulesWithPublicTypes() throws IOException {
        var artifact = Pattern.compile("<artifactId>mcp-bridge-([\\w-]+)</artifactId>");
        Set<String> withPublicTypes = CLASSES.stream()
                .filter(it -> it.getModifiers().contains(JavaModifier.PUBLIC))
                .map(MODULES::nameOf)
                .collect(Collectors.toSet());

        String bom = Files.readString(Repository.root().resolve("bom/pom.xml"));

        assertThat(artifact.matcher(bom).results().map(it -> it.group(1)).filter(it -> !it.equals("bom")))
                .containsExactlyInAnyOrderElementsOf(withPublicTypes);
    }

    @Test
    void dependenciesAreAllowed() {
        RULES.dependenciesAreAllowed().check(CLASSES);
    }

    @Test
    void internalPackagesStayInTheirModule() {
        RULES.internalPackagesStayInTheirModule().check(CLASSES);
    }

    @Test
    void packagesFormNoCycles() {
        RULES.packagesFormNoCycles().check(CLASSES);
    }

    @Test
    void onlyOnePackageOfCoreKnowsJson() {
        RULES.onlyOnePackageOfCoreKnowsJson().check(CLASSES);
    }

    @Test
    void publicSignaturesHideLibraries() {
        RULES.publicSignaturesHideLibraries().check(CLASSES);
    }

    @Test
    void onlyCliPrints() {
        RULES.onlyCliPrints().check(CLASSES);
    }

    @Test
    void i6AuditReportsFailedWrites() {
        RULES.auditReportsFailedWrites().check(CLASSES);
    }

    @Test
    void namesAreMeaningful() {
        RULES.namesAreMeaningful().check(CLASSES);
    }

    @Test
    void packagesAreNullMarked() {
        RULES.packagesAreNullMarked().check(CLASSES);
    }
}
