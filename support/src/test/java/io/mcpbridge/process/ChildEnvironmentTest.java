package io.mcpbridge.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Fault row E10: what a child gets to see of our environment. */
class ChildEnvironmentTest {

    @Test
    void ownSecretsAreNotPassed() {
        var own = Map.of("PATH", "/bin", "HOME", "/root", "XDG_RUNTIME_DIR", "/run", "AWS_SECRET_ACCESS_KEY", "s3cret");

        var variables = ChildEnvironment.of(own, Map.of());

        assertThat(variables).containsOnlyKeys("PATH", "HOME", "XDG_RUNTIME_DIR", "LANG");
    }

    @Test
    void configuredVariablesArePassedAndTakePrecedence() {
        var variables = ChildEnvironment.of(Map.of("PATH", "/bin"), Map.of("PATH", "/opt", "GITHUB_TOKEN", "t"));

        assertThat(variables).containsEntry("PATH", "/opt").containsEntry("GITHUB_TOKEN", "t");
    }

    @Test
    void childWithoutALocaleGetsAUtf8Locale() {
        assertThat(ChildEnvironment.of(Map.of(), Map.of())).containsEntry("LANG", "C.UTF-8");
    }

    @Test
    void existingLocaleIsKept() {
        assertThat(ChildEnvironment.of(Map.of("LC_ALL", "de_DE.UTF-8"), Map.of()))
                .containsOnly(Map.entry("LC_ALL", "de_DE.UTF-8"));
        assertThat(ChildEnvironment.of(Map.of(), Map.of("LANG", "C"))).containsOnly(Map.entry("LANG", "C"));
    }

    @Test
    void shellFunctionsAreNotPassed() {
        assertThat(ChildEnvironment.of(Map.of("TERM", "() { echo owned; }"), Map.of()))
                .doesNotContainKey("TERM");
    }
}
