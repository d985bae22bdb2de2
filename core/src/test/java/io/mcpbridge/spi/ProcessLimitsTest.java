package io.mcpbridge.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessLimitsTest {
    private static final ProcessLimits EVERYTHING = ProcessLimits.NONE
            .withMemoryBytes(256 << 20)
            .withProcesses(64)
            .withOpenFiles(128)
            .withFileSizeBytes(100 << 20)
            .withCpuTime(Duration.ofSeconds(10))
            .withoutNetwork()
            .withReadable(List.of(Path.of("/srv")))
            .withWritable(List.of(Path.of("/srv/out")));

    @Test
    void emptySectionLimitsNothing() {
        assertThat(ProcessLimits.from(Settings.of(Map.of())))
                .isEqualTo(ProcessLimits.NONE)
                .hasToString("");
    }

    @Test
    void everyKeyIsRead() {
        var section = Settings.parse("{\"level\": \"L3\", \"max-memory\": \"256MiB\", \"max-processes\": 64,"
                + " \"max-open-files\": 128, \"max-file-size\": \"100MiB\", \"max-cpu\": \"10s\", \"network\": false,"
                + " \"readable\": [\"/srv\"], \"writable\": [\"/srv/out\"]}");

        assertThat(ProcessLimits.from(section)).isEqualTo(EVERYTHING);
    }

    @Test
    void alternativeKeysAreRead() {
        var section = Settings.parse("{\"maxMemoryMb\": 256, \"maxProcesses\": 64, \"maxOpenFiles\": 128,"
                + " \"maxFileSizeMb\": 100, \"maxCpuMs\": 10000, \"network\": false,"
                + " \"readable\": [\"/srv\"], \"writable\": [\"/srv/out\"]}");

        assertThat(ProcessLimits.from(section)).isEqualTo(EVERYTHING);
    }

    @Test
    void memoryLimitMayExceedTwoGigabytes() {
        assertThat(ProcessLimits.from(Settings.parse("{\"maxMemoryMb\": 8192}")).memoryBytes())
                .isEqualTo(8L << 30);
    }

    @ParameterizedTest
    @CsvSource({
        "2000000B, 2000000",
        "2000KB, 2000000",
        "1024KiB, 1048576",
        "64MB, 64000000",
        "64MiB, 67108864",
        "3GB, 3000000000",
        "3GiB, 3221225472",
        "1TB, 1000000000000",
        "1TiB, 1099511627776"
    })
    void sizesHaveUnitsOf1000AndOf1024(String text, long bytes) {
        var section = Settings.of(Map.of("max-memory", text));

        assertThat(ProcessLimits.from(section).memoryBytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"maxMemoryMb\": -1} | 'maxMemoryMb' is -1 but must be at least 1, or 0 for no limit",
                "{\"max-memory\": \"1KiB\"} | 'max-memory' is 1024 but must be at least 1 MiB, or 0 for no limit",
                "{\"maxFileSizeMb\": 99999999999999} | must be a whole number, at most 2147483647",
                "{\"maxFileSizeMb\": -99999999999999} | must be a whole number, at least -2147483648",
                "{\"max-memory\": \"9999999999TiB\"} | must be a size such as 512B, 64KiB, 64MB or 10GiB",
                "{\"readable\": [\"/srv\", 5]} | 'readable' is a list but must be a list of texts; member 2 is 5",
                "{\"maxProcesses\": -1} | but must be at least 1, or 0 for no limit",
                "{\"maxOpenFiles\": 3} | but must be at least 8, or 0 for no limit",
                "{\"maxFileSizeMb\": -1} | but must be at least 1, or 0 for no limit",
                "{\"maxCpuMs\": -1} | but must be at least 1ms, or 0s for no limit",
                "{\"network\": \"no\"} | but must be true or false",
                "{\"readable\": [\"srv\"]} | but must be an absolute path without '..'",
                "{\"writable\": [\"/srv/../etc\"]} | but must be an absolute path without '..'",
                "{\"readable\": []} | 'readable' is a list but must be left out, so that all files are seen, or a list"
                        + " of the",
                "{\"writable\": []} | 'writable' is a list but must be left out, so that all files are seen, or a list"
                        + " of the",
                "{\"max-memory\": \"1GB\", \"maxMemoryMb\": 3} | 'maxMemoryMb' is 3 but must be left out beside"
                        + " 'max-memory'",
                "{\"maxMemoryMb\": 3, \"max-memory\": \"1GB\"} | 'maxMemoryMb' is 3 but must be left out beside"
                        + " 'max-memory'",
                "{\"maxProcesses\": 3, \"max-processes\": 3} | 'maxProcesses' is 3 but must be left out beside"
                        + " 'max-processes'",
                "{\"maxCpuMs\": 9, \"max-cpu\": \"1s\"} | 'maxCpuMs' is 9 but must be left out beside 'max-cpu'",
                "{\"maxMemory\": 1} | 'maxMemory' is not a key here; did you mean 'max-memory'?"
            })
    void mistakeIsRejectedWithItsKey(String section, String problem) {
        assertThatThrownBy(() -> ProcessLimits.from(Settings.parse(section)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/proc",
                "/proc/self",
                "/proc/sys/kernel",
                "/sys",
                "/sys/fs/cgroup",
                "/dev",
                "/dev/shm",
                "/dev/mqueue"
            })
    void kernelFileSystemsCannotBeNamed(String path) {
        for (var key : List.of("readable", "writable")) {
            var section = Settings.of(Map.of(key, List.of("/srv", path)));

            assertThatThrownBy(() -> ProcessLimits.from(section))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContainingAll(
                            "'" + key + "' is '" + path + "'",
                            "but must be neither in '/proc', '/sys' or '/dev' nor above them",
                            "such as '/srv/data'");
        }
    }

    @ParameterizedTest
    @CsvSource({"/proc, ''", "/, ''", "/, proc", "/, usr/../proc/self"})
    @EnabledOnOs(OS.LINUX)
    void linkToAKernelFileSystemIsRejected(String target, String rest, @TempDir Path folder) throws Exception {
        var link = Files.createSymbolicLink(folder.resolve("link"), Path.of(target));
        var path = link.resolve(rest).normalize();

        assertThatThrownBy(() -> ProcessLimits.NONE.withReadable(List.of(path)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("'readable' is '" + path + "', which leads to '/", "but must be neither in");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/shm/frames", "/process", "/srv/proc", "/devices"})
    void similarPathsAreAccepted(String path) {
        assertThat(ProcessLimits.NONE.withWritable(List.of(Path.of(path))).writable())
                .containsExactly(Path.of(path));
    }

    @Test
    void emptyReadableListHidesNoFiles() {
        var section = Settings.parse("{\"readable\": [], \"writable\": [\"/srv\"]}");

        assertThat(ProcessLimits.from(section)).isEqualTo(ProcessLimits.NONE.withWritable(List.of(Path.of("/srv"))));
    }

    @Test
    void allMistakesAreReportedTogether() {
        var section = Settings.parse("{\"maxMemoryMb\": -1, \"maxProcesses\": -1, \"readable\": [\"srv\"]}");

        assertThatThrownBy(() -> ProcessLimits.from(section))
                .hasMessageContainingAll("'maxMemoryMb'", "'maxProcesses'", "'readable'");
    }

    @Test
    void limitsRequireTheirSandboxLevel() {
        assertThat(ProcessLimits.NONE.needs()).isEqualTo(SandboxLevel.L0);
        assertThat(ProcessLimits.NONE.withOpenFiles(64).needs()).isEqualTo(SandboxLevel.L1);
        assertThat(ProcessLimits.NONE.withMemoryBytes(64 << 20).needs()).isEqualTo(SandboxLevel.L1);
        assertThat(ProcessLimits.NONE.withoutNetwork().needs()).isEqualTo(SandboxLevel.L3);
        assertThat(ProcessLimits.NONE.withWritable(List.of(Path.of("/srv"))).needs())
                .isEqualTo(SandboxLevel.L3);
    }

    @Test
    void toStringShowsOnlyConfiguredLimits() {
        assertThat(ProcessLimits.NONE.withProcesses(4).withoutNetwork())
                .hasToString("max-processes = 4, network = false");
    }

    @ParameterizedTest
    @CsvSource({"auto, ''", "L0, L0", "L1, L1", "L2, L2", "L3, L3"})
    void levelIsReadByItsName(String text, String level) {
        var section = Settings.of(Map.of("level", text));

        assertThat(SandboxSettings.from(section).level().map(SandboxLevel::name).orElse(""))
                .isEqualTo(level);
    }

    @Test
    void unknownLevelIsRejected() {
        var section = Settings.of(Map.of("level", "L4", "maxProcesses", -1));

        assertThatThrownBy(() -> SandboxSettings.from(section))
                .hasMessageContainingAll(
                        "'level' is 'L4' but must be 'auto', 'L0', 'L1', 'L2' or 'L3'", "'maxProcesses'");
    }
}
