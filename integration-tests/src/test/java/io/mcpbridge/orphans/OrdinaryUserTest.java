package io.mcpbridge.orphans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.testkit.Eventually;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Where root runs the tests, a parent that is another user is tried too: it has other means. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OrdinaryUserTest {
    private static final List<String> AS_NOBODY =
            List.of("/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    private final Marks marks = Marks.fresh();

    @Test
    @DisplayName("E8: at L2 no process survives whose parent is an ordinary user")
    void noProcessOfAnOrdinaryUserSurvives() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "needs root");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "needs setpriv");
        assumeTrue(canBeReadByAll(), "needs a class path that every user can read");
        assumeTrue(hasTheLevel(), "needs L2");

        try (var parent = Parent.start(AS_NOBODY, ParentProgram.class, marks, List.of(SandboxLevel.L2))) {
            assertThat(marks.counts()).containsOnlyKeys(SandboxLevel.L2);
            parent.kill();

            Eventually.holds(
                    () -> "nobody but " + marks.counts(), () -> marks.counts().isEmpty());
        } finally {
            marks.killAll();
        }
    }

    private static boolean hasTheLevel() {
        return StubbornChildren.available().contains(SandboxLevel.L2);
    }

    private static boolean canBeReadByAll() throws Exception {
        var script = "for each; do test -r \"$each\" || exit 1; done";
        var words = new ArrayList<>(AS_NOBODY);
        words.addAll(List.of("sh", "-c", script, "sh"));
        words.add(ProcessHandle.current().info().command().orElse("java"));
        words.addAll(List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)));
        return new ProcessBuilder(words).start().waitFor() == 0;
    }
}
