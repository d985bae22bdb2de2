package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Row B7 where it is about a whole program: how one with a server of tools ends. */
@Timeout(90)
class EndingProgramTest {

    @Test
    void b7UncaughtFailureIsLoggedAndExitsWithOne() throws Exception {
        try (var program = start("uncaught")) {
            assertThat(program.awaitExit()).isEqualTo(1);
            assertThat(program.errors())
                    .contains(
                            "[mcp-bridge] starting in mode=FULL version=1",
                            "[mcp-bridge] ready",
                            "[mcp-bridge] uncaughtException: java.lang.IllegalStateException: nobody catches me");
        }
    }

    @Test
    void b7ProgramWithoutTheHandlerContinues() throws Exception {
        try (var program = start("unwanted")) {
            assertThat(program.awaitOutput()).isEqualToIgnoringNewLines("goes on");
            assertThat(program.errors()).contains("nobody catches me").doesNotContain("uncaughtException");
        }
    }

    @Test
    void b7FailureDuringTheExitDoesNotBlockIt() throws Exception {
        try (var program = start("hook")) {
            assertThat(program.awaitExit()).isEqualTo(3);
        }
    }

    @Test
    void b7LateStartDoesNotKeepTheProgramAlive() throws Exception {
        try (var program = start("late")) {
            assertThat(program.awaitOutput()).isEqualToIgnoringNewLines("startup timeout exceeded (50ms)");
            assertThat(program.errors()).contains("[mcp-bridge] fatal: startup timeout exceeded (50ms)");
        }
    }

    private static Program start(String end) {
        return Program.start(JavaCommand.of(EndingProgram.class.getName(), end));
    }
}
