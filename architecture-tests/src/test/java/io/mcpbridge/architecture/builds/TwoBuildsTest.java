package io.mcpbridge.architecture.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.architecture.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TwoBuildsTest {

    /** Fewer would mean that the builds were not read. */
    private static final int MIN_MODULES = 20;

    private static final int MIN_DEPENDENCIES = 150;

    @Test
    void buildsAreEqual() {
        var differences =
                BuildComparison.differences(MavenBuild.read(Repository.root()), GradleBuild.read(Repository.root()));

        assertThat(differences).isEmpty();
    }

    @Test
    void buildsAreReadCompletely() {
        for (Build build : List.of(MavenBuild.read(Repository.root()), GradleBuild.read(Repository.root()))) {
            long dependencies =
                    build.modules().values().stream().flatMap(it -> it.stream()).count();

            assertThat(build.modules()).hasSizeGreaterThanOrEqualTo(MIN_MODULES);
            assertThat(dependencies).isGreaterThanOrEqualTo(MIN_DEPENDENCIES);
            assertThat(build.versions()).containsKeys("jackson", "junit", "nullaway");
        }
    }

    /** Alters one file of a copy, and looks whether the comparison sees it. */
    @Nested
    class AlteredBuilds {

        @TempDir
        private Path copy;

        @BeforeEach
        void copyBuildFiles() throws IOException {
            try (var files = Files.walk(Repository.root(), 2)) {
                for (Path file : files.filter(AlteredBuilds::isBuildFile).toList()) {
                    Path target = copy.resolve(Repository.root().relativize(file));
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target);
                }
            }
        }

        private static boolean isBuildFile(Path file) {
            return file.toString()
                    .matches(
                            ".*[/\\\\](pom\\.xml|[^/\\\\]+\\.gradle\\.kts|gradle\\.properties|libs\\.versions\\.toml)");
        }

        @Test
        void copyIsEqual() {
            assertThat(differences()).isEmpty();
        }

        @Test
        void missingModuleInGradleIsDetected() throws IOException {
            alter("settings.gradle.kts", "    \"retry\",\n", "");

            assertThat(differences()).containsExactly("module retry is only in Maven");
        }

        @Test
        void missingModuleInMavenIsDetected() throws IOException {
            alter("pom.xml", "<module>retry</module>", "");

            assertThat(differences()).containsExactly("module retry is only in Gradle");
        }

        @Test
        void otherLibraryVersionIsDetected() throws IOException {
            alter("gradle/libs.versions.toml", "guice = \"", "guice = \"1");

            assertThat(differences()).singleElement().asString().startsWith("version guice is ");
        }

        @Test
        void otherProjectVersionIsDetected() throws IOException {
            alter("gradle.properties", "version=0", "version=10");

            assertThat(differences()).singleElement().asString().startsWith("our version is 0");
        }

        @Test
        void otherScopeIsDetected() throws IOException {
            alter("gateway/build.gradle.kts", "runtimeOnly(project(\":retry\"))", "api(project(\":retry\"))");

            assertThat(differences())
                    .containsExactlyInAnyOrder(
                            "module 'gateway': Dependency[on=retry, scope=RUNTIME] is only in Maven",
                            "module 'gateway': Dependency[on=retry, scope=COMPILE] is only in Gradle");
        }

        @Test
        void otherScopeOfASharedDependencyIsDetected() throws IOException {
            alter(
                    "build.gradle.kts",
                    "\"testImplementation\"(rootProject.libs.awaitility)",
                    "\"api\"(rootProject.libs.awaitility)");

            assertThat(differences())
                    .contains("module 'audit': Dependency[on=org.awaitility:awaitility, scope=TEST] is only in Maven");
        }

        @Test
        void missingDependencyInMavenIsDetected() throws IOException {
            alter("guice/pom.xml", "<groupId>com.google.inject</groupId>", "<groupId>com.google.eject</groupId>");

            assertThat(differences())
                    .contains(
                            "module 'guice': Dependency[on=com.google.inject:guice, scope=COMPILE] is only in Gradle");
        }

        @Test
        void missingProcessorInGradleIsDetected() throws IOException {
            alter("build.gradle.kts", "        \"annotationProcessor\"(rootProject.libs.nullaway)\n", "");

            assertThat(differences())
                    .contains(
                            "module 'core': Dependency[on=com.uber.nullaway:nullaway, scope=PROCESSOR] is only in Maven");
        }

        @Test
        void missingModuleInOneBomIsDetected() throws IOException {
            alter("bom/build.gradle.kts", "api(project(\":core\"))", "api(project(\":docs\"))");

            assertThat(differences())
                    .containsExactlyInAnyOrder(
                            "module 'bom': Dependency[on=core, scope=CONSTRAINT] is only in Maven",
                            "module 'bom': Dependency[on=docs, scope=CONSTRAINT] is only in Gradle");
        }

        @Test
        void missingBomImportIsDetected() throws IOException {
            alter("build.gradle.kts", "        \"implementation\"(platform(rootProject.libs.netty.bom))\n", "");

            assertThat(differences()).containsExactly("imported BOM io.netty:netty-bom is only in Maven");
        }

        @Test
        void inlineVersionIsRejected() throws IOException {
            alter("pom.xml", "${picocli.version}", "4.7.7");

            assertThatThrownBy(this::differences)
                    .hasMessageContaining("'info.picocli:picocli' has the version '4.7.7'");
        }

        @Test
        void unparsableLineIsRejected() throws IOException {
            alter("retry/build.gradle.kts", "api(project(\":core\"))", "api(\"org.example:thing:1\")");

            assertThatThrownBy(this::differences).hasMessageContaining("api(\"org.example:thing:1\")");
        }

        private List<String> differences() {
            return BuildComparison.differences(MavenBuild.read(copy), GradleBuild.read(copy));
        }

        private void alter(String file, String from, String to) throws IOException {
            Path path = copy.resolve(file);
            String text = Files.readString(path);
            assertThat(text).contains(from);
            Files.writeString(path, text.replace(from, to));
        }
    }
}
