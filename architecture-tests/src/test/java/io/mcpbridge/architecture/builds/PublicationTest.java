package io.mcpbridge.architecture.builds;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.architecture.Repository;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What public repositories require of an artifact. {@code .ci/try-release} tries a whole release. */
class PublicationTest {
    @ParameterizedTest
    @ValueSource(strings = {"pom.xml", "bom/pom.xml"})
    void pomDescribesTheProject(String file) {
        var pom = Xml.read(Repository.root().resolve(file));

        assertThat(List.of("name", "description", "url"))
                .allSatisfy(element -> assertThat(pom.text(element)).isNotEmpty());
        assertThat(pom.text("licenses", "license", "name")).isEqualTo("Apache-2.0");
        assertThat(pom.text("developers", "developer", "name")).isNotEmpty();
        assertThat(List.of("connection", "developerConnection", "url"))
                .allSatisfy(element -> assertThat(pom.text("scm", element)).isNotEmpty());
    }

    @Test
    void publishedModuleHasANameAndADescription() {
        assertThat(published()).hasSizeGreaterThan(10).allSatisfy(pom -> {
            assertThat(pom.text("name")).isNotEmpty();
            assertThat(pom.text("description")).isNotEmpty();
        });
    }

    @Test
    void publishedModulesAreThoseOfTheBom() {
        var bom = Xml.read(Repository.root().resolve("bom/pom.xml"));
        var listed = bom.all("dependencyManagement", "dependencies", "dependency").stream()
                .map(dependency -> dependency.text("artifactId"))
                .toList();

        assertThat(published())
                .extracting(pom -> pom.text("artifactId"))
                .filteredOn(artifact -> !artifact.equals("mcp-bridge-bom"))
                .containsExactlyInAnyOrderElementsOf(listed);
    }

    @Test
    void licenseIsInEveryModule() throws IOException {
        var root = Repository.root().toUri().getPath();
        var licenses = Collections.list(getClass().getClassLoader().getResources("META-INF/LICENSE")).stream()
                .filter(license -> license.getPath().contains(root))
                .toList();

        // The BOM has no jar.
        assertThat(licenses).hasSizeGreaterThanOrEqualTo(published().size() - 1);
    }

    private static List<Xml> published() {
        return Xml.read(Repository.root().resolve("pom.xml")).all("modules", "module").stream()
                .map(module -> Xml.read(Repository.root().resolve(module.text()).resolve("pom.xml")))
                .filter(pom -> pom.text("properties", "maven.deploy.skip").isEmpty())
                .toList();
    }
}
