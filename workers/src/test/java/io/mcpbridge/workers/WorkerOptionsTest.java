package io.mcpbridge.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.SandboxSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WorkerOptionsTest {

    @Test
    void defaultsAreThoseOfTheContract() {
        var defaults = WorkerOptions.DEFAULTS;

        assertThat(defaults.limits()).isEqualTo(new ToolLimits(256, Duration.ofSeconds(30)));
        assertThat(defaults.warm()).isEqualTo(1);
        assertThat(defaults.most()).isGreaterThanOrEqualTo(2);
        assertThat(defaults.maxCalls()).isEqualTo(1_000);
        assertThat(defaults.maxAge()).isEqualTo(Duration.ofHours(1));
        assertThat(defaults.maxResidentMb()).isZero();
        assertThat(defaults.maxResultBytes()).isEqualTo(4 << 20);
        assertThat(defaults.maxWaiting()).isEqualTo(64);
        assertThat(defaults.maxWait()).isEqualTo(Duration.ofSeconds(10));
        assertThat(defaults.confinement()).isEqualTo(SandboxSettings.DEFAULTS);
    }

    @Test
    void allOptionsAreKept() {
        var builder = WorkerOptions.builder()
                .limits(ToolLimits.DEFAULTS.withMaxMemoryMb(512).withMaxExecution(Duration.ofSeconds(1)))
                .classPath(List.of(Path.of("tools.jar")))
                .jvmOptions(List.of("-Dkey=value"))
                .variables(Map.of("NAME", "value"));
        var options = builder.build();
        builder.jvmOptions(List.of());

        assertThat(options.limits()).isEqualTo(new ToolLimits(512, Duration.ofSeconds(1)));
        assertThat(options.classPath()).containsExactly(Path.of("tools.jar"));
        assertThat(options.jvmOptions()).containsExactly("-Dkey=value");
        assertThat(options.variables()).containsEntry("NAME", "value");
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake(it -> it.warm(-1), "'warm' is -1 but must be at least 0"),
                mistake(it -> it.most(0), "'most' is 0 but must be at least 1, and at least 'warm', 1"),
                mistake(it -> it.maxCalls(0), "'maxCalls' is 0 but must be at least 1"),
                mistake(it -> it.maxAge(Duration.ZERO), "'maxAge' is PT0S but must be longer than zero"),
                mistake(it -> it.maxResidentMb(-1), "'maxResidentMb' is -1 but must be at least 0"),
                mistake(it -> it.maxResultBytes(9), "'maxResultBytes' is 9 but must be at least 1024"),
                mistake(
                        it -> it.confinement(new SandboxSettings(
                                Optional.empty(), ProcessLimits.NONE.withCpuTime(Duration.ofSeconds(9)))),
                        "'confinement' is max-cpu = 9000ms but must be without max-cpu, which would count all calls of"
                                + " a worker together; 'maxExecution' bounds each"),
                mistake(it -> it.maxWaiting(-1), "'maxWaiting' is -1 but must be at least 0"),
                mistake(it -> it.maxWait(Duration.ofMillis(-1)), "'maxWait' is PT-0.001S but must be longer than zero"),
                mistake(
                        it -> it.limits(ToolLimits.DEFAULTS.withMaxMemoryMb(95)),
                        "maxMemoryMb is 95 but must be at least 96"),
                mistake(
                        it -> it.limits(ToolLimits.DEFAULTS.withMaxExecution(Duration.ZERO)),
                        "maxExecution is PT0S but must be longer than zero"));
    }

    private static Arguments mistake(UnaryOperator<WorkerOptions.Builder> change, String words) {
        return Arguments.argumentSet(words, change, words);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void mistakeIsRejected(UnaryOperator<WorkerOptions.Builder> change, String words) {
        assertThatThrownBy(() -> change.apply(WorkerOptions.builder()).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(words);
    }

    @Test
    void memoryIsDividedAmongThePartsOfAVirtualMachine() {
        assertThat(WorkerCommandFactory.memoryOptions(256))
                .contains(
                        "-Xmx140m",
                        "-XX:MaxMetaspaceSize=42m",
                        "-XX:ReservedCodeCacheSize=14m",
                        "-XX:MaxDirectMemorySize=14m");
        assertThat(WorkerCommandFactory.memoryOptions(96)).contains("-Xmx40m", "-XX:ReservedCodeCacheSize=4m");
        assertThat(WorkerCommandFactory.memoryOptions(4096))
                .contains("-Xmx2540m", "-XX:MaxMetaspaceSize=256m", "-XX:ReservedCodeCacheSize=48m");
    }
}
