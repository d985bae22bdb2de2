package io.mcpbridge.sandbox.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.testkit.Eventually;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Archives of real workers; folders of classes cannot be kept in one, so there is a jar of them. */
@Timeout(60)
class StartArchiveTest {
    @TempDir
    private static Path shared;

    @TempDir
    private Path cache;

    private Path folder = Path.of("");

    @BeforeAll
    static void jar() throws IOException {
        try (var jar = new JarOutputStream(Files.newOutputStream(shared.resolve("classes.jar")))) {
            var roots = new StringTokenizer(System.getProperty("java.class.path"), File.pathSeparator);
            while (roots.hasMoreTokens()) {
                add(jar, Path.of(roots.nextToken()));
            }
        }
    }

    private static void add(JarOutputStream jar, Path root) throws IOException {
        if (!Files.isDirectory(root)) {
            return;
        }
        try (var files = Files.walk(root)) {
            for (var file : files.filter(each -> each.toString().endsWith(".class"))
                    .filter(each -> isNeeded(root.relativize(each).toString()))
                    .toList()) {
                jar.putNextEntry(new JarEntry(root.relativize(file).toString()));
                Files.copy(file, jar);
            }
        }
    }

    private static boolean isNeeded(String name) {
        return name.startsWith("io/mcpbridge/sandbox/worker/") || name.startsWith("io/mcpbridge/serve/schema/");
    }

    @BeforeEach
    void namesTheFolder() {
        folder = cache.resolve("mcp-bridge");
    }

    private static WorkerOptionsBuilder fromJar() {
        return WorkerOptions.builder().classPath(List.of(shared.resolve("classes.jar")));
    }

    /** Whether a worker of a new pool has an archive. */
    private boolean isUsed(WorkerOptionsBuilder options) throws Exception {
        try (var environment = environment();
                var bench = new PoolBench(WorkerPool.open(options.build(), environment.environment()))) {
            return bench.does("maps", folder + "/worker-").equals(true);
        }
    }

    private StandardEnvironment environment() {
        return StandardEnvironment.open(Map.of("XDG_CACHE_HOME", cache.toString()));
    }

    private void make() throws Exception {
        try (var environment = environment();
                var bench = new PoolBench(WorkerPool.open(fromJar().build(), environment.environment()))) {
            bench.does("pid");
            Eventually.holds("an archive", () -> !archives().isEmpty());
        }
    }

    private List<Path> archives() {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jsa")).toList();
        } catch (IOException none) {
            return List.of();
        }
    }

    @Test
    void archiveIsMadeOnceAndUsedFromThenOn() throws Exception {
        make();
        var made = archives();

        assertThat(isUsed(fromJar())).isTrue();
        assertThat(archives()).isEqualTo(made).hasSize(1);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        try (var files = Files.list(folder)) {
            assertThat(files).as("nothing but the archive").isEqualTo(made);
        }
    }

    @Test
    void archiveThatIsBrokenIsMadeAnew() throws Exception {
        make();
        var broken = archives().get(0);
        var bytes = Files.readAllBytes(broken);
        bytes[bytes.length / 2] ^= 1;
        Files.write(broken, bytes);

        try (var environment = environment();
                var bench = new PoolBench(WorkerPool.open(fromJar().build(), environment.environment()))) {
            bench.does("pid");
            Eventually.holds("another one", () -> !archives().isEmpty() && !holds(broken, bytes));
        }
        assertThat(isUsed(fromJar())).isTrue();
        assertThat(archives()).hasSize(1);
    }

    private static boolean holds(Path file, byte[] bytes) {
        try {
            return Arrays.equals(Files.readAllBytes(file), bytes);
        } catch (IOException moved) {
            return false;
        }
    }

    @Test
    void archiveThatOthersCouldHaveWrittenIsNotUsed() throws Exception {
        make();
        Files.setPosixFilePermissions(archives().get(0), PosixFilePermissions.fromString("rw-rw-rw-"));

        assertThat(isUsed(fromJar())).isFalse();
    }

    @Test
    void folderThatOthersMayWriteToIsNotUsed() throws Exception {
        Files.createDirectory(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(isUsed(fromJar())).isFalse();
        assertThat(archives()).isEmpty();
    }
}
