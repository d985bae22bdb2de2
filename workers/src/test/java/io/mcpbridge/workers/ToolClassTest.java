package io.mcpbridge.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Classes that workers cannot instantiate are rejected at registration. */
class ToolClassTest {

    private abstract static class Unfinished implements SandboxedTool {}

    private record ConfiguredTool(String what) implements SandboxedTool {

        @Override
        public @Nullable Object run(SandboxedCall call) {
            return what;
        }
    }

    private static final class Hushed implements SandboxedTool {

        private Hushed() {}

        @Override
        public @Nullable Object run(SandboxedCall call) {
            return null;
        }
    }

    /** Not static, so that it needs one of the class around it. */
    @SuppressWarnings("ClassCanBeStatic")
    private final class Inner implements SandboxedTool {

        @Override
        public @Nullable Object run(SandboxedCall call) {
            return null;
        }
    }

    static Stream<Arguments> uninstantiableClasses() {
        SandboxedTool lambda = call -> "x";
        return Stream.of(
                Arguments.argumentSet("an interface", SandboxedTool.class, "it is abstract"),
                Arguments.argumentSet("an abstract class", Unfinished.class, "it is abstract"),
                Arguments.argumentSet(
                        "a class with arguments", ConfiguredTool.class, "no constructor without arguments"),
                Arguments.argumentSet("an inner class", Inner.class, "make a class within another one static"),
                Arguments.argumentSet("a lambda", lambda.getClass(), "no name that another process could find"));
    }

    @ParameterizedTest
    @MethodSource("uninstantiableClasses")
    void classThatCannotBeInstantiatedIsRejectedAtOnce(Class<? extends SandboxedTool> type, String why) {
        try (var pool = WorkerPool.open(WorkerOptions.builder().warm(0).build())) {
            assertThatThrownBy(() -> pool.handler(type))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'" + type.getName() + "' cannot run in workers", why);
            assertThat(pool.state()).isEqualTo(new PoolState(0, 0, 0, 0, ""));
        }
    }

    @Test
    void privateConstructorIsAccepted() {
        try (var pool = WorkerPool.open(WorkerOptions.builder().warm(0).build())) {
            assertThat(pool.handler(Hushed.class)).isNotNull();
        }
    }
}
