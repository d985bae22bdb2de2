package io.mcpbridge.transport.unix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two processes start at the same socket at the same time: row D4 of the fault matrix. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class UnixRaceTest {
    private static final int RACES = 200;

    @TempDir
    Path folder;

    private final List<Racer> racers = new ArrayList<>();

    @AfterEach
    void endTheRacers() throws InterruptedException {
        for (var racer : racers) {
            racer.process.destroyForcibly().waitFor();
        }
    }

    @Test
    @DisplayName("D4: exactly one of two concurrent starts listens, 200 times in a row, and the other one names it")
    void exactlyOneOfTwoListens() throws Exception {
        var path = folder.resolve("run/bridge.sock");
        var one = racer(path);
        var other = racer(path);
        assertThat(one.line()).isEqualTo("ready");
        assertThat(other.line()).isEqualTo("ready");

        for (int i = 0; i < RACES; i++) {
            one.say("start");
            other.say("start");
            var ofOne = one.line();
            var ofOther = other.line();
            var loss = ofOne.equals("won") ? ofOther : ofOne;

            assertThat(List.of(ofOne, ofOther)).as("race %d", i).containsOnlyOnce("won");
            assertThat(loss)
                    .as("race %d", i)
                    .startsWith("lost: Cannot listen on")
                    .contains("already running, pid ");
            assertEchoes(path);
            for (var racer : racers) {
                racer.say("stop");
                assertThat(racer.line()).isEqualTo("stopped");
            }
        }
    }

    private Racer racer(Path path) throws IOException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RacingProgram.class.getName(),
                        path.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var racer = new Racer(process, process.inputReader());
        racers.add(racer);
        return racer;
    }

    private static void assertEchoes(Path path) throws IOException {
        try (var client = LineClient.to(path)) {
            client.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}");
            assertThat(client.receive()).contains("\"id\":1");
        }
    }

    private record Racer(Process process, BufferedReader answers) {

        void say(String command) throws IOException {
            var out = process.getOutputStream();
            out.write((command + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
            out.flush();
        }

        String line() throws IOException {
            return String.valueOf(answers.readLine());
        }
    }
}
