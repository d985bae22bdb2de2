package io.mcpbridge.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.mcpbridge.architecture.Modules.Module;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Shows each rule classes that break it, from the package {@code wrong}. */
class RulesTest {

    private static final String ROOT = "io.mcpbridge.architecture.wrong";

    private static final JavaClasses WRONG = new ClassFileImporter().importPackages(ROOT);

    private static final Rules RULES = new Rules(new Modules(
            ROOT,
            List.of(
                    Module.of("core", Set.of()).withPackages(""),
                    Module.of("retry", Set.of("core")),
                    Module.of("audit", Set.of("core")),
                    Module.of("cli", Set.of("core", "audit")))));

    @Test
    void forbiddenDependenciesAreDetected() {
        assertThat(offenders(RULES.dependenciesAreAllowed()))
                .containsExactly(
                        "ShowsGuice", "UsesPlugin", "retry.UsesAnotherPlugin", "retry.UsesGuice", "retry.UsesLogging");
    }

    @Test
    void foreignInternalPackagesAreDetected() {
        assertThat(offenders(RULES.internalPackagesStayInTheirModule())).containsExactly("cli.UsesInternal");
    }

    @Test
    void cyclesAreDetected() {
        assertThat(offenders(RULES.packagesFormNoCycles())).contains("one.One", "two.Two");
    }

    @Test
    void hiddenLibrariesInSignaturesAreDetected() {
        assertThat(offenders(RULES.publicSignaturesHideLibraries())).containsExactly("ShowsGuice");
    }

    @Test
    void printingIsDetected() {
        assertThat(offenders(RULES.onlyCliPrints())).containsExactly("Prints");
    }

    @Test
    void printWritersOfAuditAreDetected() {
        assertThat(offenders(RULES.auditReportsFailedWrites())).containsExactly("audit.SwallowsErrors");
    }

    @Test
    void meaninglessNamesAreDetected() {
        assertThat(offenders(RULES.namesAreMeaningful())).containsExactly("ThingManager");
    }

    /** The root of {@code wrong} has no package comment. */
    @Test
    void unmarkedPackagesAreDetected() {
        assertThat(RULES.packagesAreNullMarked()
                        .evaluate(WRONG)
                        .getFailureReport()
                        .getDetails())
                .isNotEmpty()
                .allMatch(it -> it.startsWith(ROOT + " has"));
    }

    /** The classes that the report begins a line with, without the root package. */
    private static Set<String> offenders(ArchRule rule) {
        var first = Pattern.compile("<?" + Pattern.quote(ROOT) + "\\.((?:[a-z]+\\.)*[A-Z]\\w+)");
        Set<String> offenders = new TreeSet<>();
        for (String line : rule.evaluate(WRONG).getFailureReport().getDetails()) {
            first.matcher(line).results().findFirst().ifPresent(it -> offenders.add(it.group(1)));
            if (line.startsWith("Cycle")) {
                first.matcher(line).results().forEach(it -> offenders.add(it.group(1)));
            }
        }
        return offenders;
    }
}
