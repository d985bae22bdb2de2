package io.mcpbridge.sandbox.launch;

import static io.mcpbridge.testkit.contract.LauncherFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.SandboxLevel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Variables that would act on what holds a child. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DeferredVariablesTest {
    private final SandboxLauncher launcher = Sandboxes.open();

    @AfterEach
    void close() {
        launcher.close();
    }

    private static LaunchCommand shell(String script, String name, String value) {
        return LaunchCommand.of(List.of("sh", "-c", script), Map.of("PATH", "/usr/bin:/bin", name, value));
    }

    @ParameterizedTest
    @EnumSource(value = SandboxLevel.class, mode = EnumSource.Mode.EXCLUDE, names = "L0")
    void loaderVariablesAffectOnlyTheChild(SandboxLevel level) throws Exception {
        Sandboxes.assume(level);
        // The loader says of each program that it starts that this library is not there.
        var command = shell("echo \"$LD_PRELOAD $MCP_BRIDGE_LATE_LD_PRELOAD\"", "LD_PRELOAD", "/none/it's-one.so");

        var child = launcher.launch(command.requiring(level));

        assertThat(text(child.stdout())).isEqualTo("/none/it's-one.so \n");
        assertThat(text(child.stderr()).lines()).hasSizeLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(value = SandboxLevel.class, mode = EnumSource.Mode.EXCLUDE, names = "L0")
    void guardDoesNotHaveTheVariables(SandboxLevel level) {
        var tools = SystemTools.on(System.getenv().getOrDefault("PATH", ""));
        var wrapper = level == SandboxLevel.L1
                ? new SetprivWrapper(tools)
                : BubblewrapWrapper.firm(tools, HostSystem.weAreRoot());

        var wrapped = wrapper.wrap(shell("true", "LD_AUDIT", "s3cret"));

        assertThat(wrapped.variables()).doesNotContainKey("LD_AUDIT").containsValue("s3cret");
        assertThat(wrapped.wrapper().words()).noneMatch(word -> word.contains("s3cret"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SHELLOPTS", "BASHOPTS", "BASH_FUNC_read%%"})
    void variableThatCannotBeRestoredIsRejected(String name) {
        Sandboxes.assume(SandboxLevel.L1);
        var command = shell("true", name, "s3cret").requiring(SandboxLevel.L1);

        assertThatThrownBy(() -> launcher.launch(command))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("Cannot start 'sh'", "'" + name + "'", "remove it from 'env'")
                .hasMessageNotContaining("s3cret");
    }
}
