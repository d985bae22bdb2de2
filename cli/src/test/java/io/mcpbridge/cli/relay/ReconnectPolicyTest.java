package io.mcpbridge.cli.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ReconnectPolicyTest {

    @Test
    void delaysDoubleUntilTheLastAttempt() {
        var policy = ReconnectPolicy.of(DaemonClientConfiguration.DEFAULTS);

        assertThat(policy.pause(1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(policy.pause(4)).isEqualTo(Duration.ofSeconds(8));
        assertThat(policy.pause(5)).isZero();
        assertThat(policy.total()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void newSocketEndsTheDelay(@TempDir Path folder) throws Exception {
        var policy = new ReconnectPolicy(2, Duration.ofDays(1));
        var attempts = new ArrayList<Integer>();

        try (var watch = new SocketWatch(folder.resolve("b.sock"))) {
            policy.repeat(
                    number -> {
                        attempts.add(number);
                        appear(folder, "b.sock");
                        return number == 2;
                    },
                    watch);
        }

        assertThat(attempts).containsExactly(1, 2);
    }

    private static void appear(Path folder, String name) {
        try {
            Files.move(Files.createTempFile(folder, "new", ""), folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void otherFilesDoNotEndTheDelay(@TempDir Path folder) throws Exception {
        try (var watch = new SocketWatch(folder.resolve("b.sock"))) {
            appear(folder, "other.sock");

            assertThat(watch.await(Duration.ofMillis(50))).isFalse();
        }
    }

    @Test
    void socketInAFolderCreatedLaterIsFound(@TempDir Path parent) throws Exception {
        var folder = parent.resolve("run");
        try (var watch = new SocketWatch(folder.resolve("b.sock"))) {
            assertThat(watch.await(Duration.ofMillis(1))).isFalse();
            Files.createDirectory(folder);
            appear(folder, "b.sock");

            assertThat(watch.await(Duration.ofDays(1))).isTrue();
        }
    }

    @Test
    void replacedSocketEndsTheDelay(@TempDir Path folder) throws Exception {
        appear(folder, "b.sock");
        try (var watch = new SocketWatch(folder.resolve("b.sock"))) {
            assertThat(watch.await(Duration.ofMillis(1))).isFalse();

            appear(folder, "b.sock");

            assertThat(watch.await(Duration.ofDays(1))).isTrue();
        }
    }

    @Test
    void closeEndsTheDelay(@TempDir Path folder) throws Exception {
        var watch = new SocketWatch(folder.resolve("b.sock"));
        var pause = CompletableFuture.supplyAsync(() -> {
            try {
                return watch.await(Duration.ofDays(1));
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });

        watch.close();

        assertThat(pause.get(30, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void oneAttemptIsMadeWithoutReconnect() {
        var policy = ReconnectPolicy.of(
                DaemonClientConfiguration.parse("{\"mcpBridge\":{\"reconnect\":{\"enabled\":false}}}"));

        assertThat(policy.attempts()).isEqualTo(1);
        assertThat(policy.total()).isZero();
    }
}
