package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mcpbridge.cli.trail.RealTrail;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code audit tail --follow} in a process of its own, and how it ends. */
@Timeout(120)
@EnabledOnOs({OS.LINUX, OS.MAC})
class FollowingProcessTest {
    /** What a shell says of a process that a signal ended. */
    private static final int TERMINATED = 143;

    @TempDir
    Path temporary;

    private RealTrail trail;
    private Process following;
    private BufferedReader out;

    @BeforeEach
    void start() throws IOException {
        trail = RealTrail.in(temporary.resolve("trail")).calls("before", 1);
        following = command(
                        "audit",
                        "tail",
                        "--follow",
                        "--dir",
                        temporary.resolve("trail").toString())
                .start();
        out = following.inputReader(StandardCharsets.UTF_8);
        assertThat(out.readLine()).startsWith("TIME");
        assertThat(out.readLine()).contains("before0");
    }

    @AfterEach
    void end() {
        following.destroyForcibly();
        trail.close();
    }

    @Test
    void processEndsSilentlyWhenItsOutputIsClosed() throws Exception {
        out.close();

        await().atMost(Duration.ofSeconds(60)).until(() -> {
            trail.calls("after", 1);
            return !following.isAlive();
        });

        assertThat(following.exitValue()).isZero();
        assertThat(errors()).isEmpty();
    }

    @Test
    void processEndsSilentlyOnASignal() throws Exception {
        following.destroy();

        assertThat(following.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(following.exitValue()).isEqualTo(TERMINATED);
        assertThat(errors()).isEmpty();
    }

    @Test
    void namesAreWrittenAsUtf8InEveryLocale() throws Exception {
        trail.calls("käse", 1);

        assertThat(out.readLine()).contains("käse0");
    }

    private String errors() throws IOException {
        return Files.readString(temporary.resolve("err"));
    }

    private ProcessBuilder command(String... arguments) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var words = new ArrayList<>(List.of(
                java,
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "io.mcpbridge.cli.Main"));
        words.addAll(List.of(arguments));
        var builder = new ProcessBuilder(words).redirectError(new File(temporary.toFile(), "err"));
        builder.environment().put("LC_ALL", "C");
        return builder;
    }
}
