package io.mcpbridge.transport.unix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process without file descriptors: row D16 of the fault matrix. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnixExhaustionTest {
    private static final String ECHO = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":{\"n\":1}}";
    private static final String ANSWER = "\"result\":{\"n\":1}";

    @TempDir
    Path folder;

    private Path path;
    private Process process;
    private BufferedReader answers;

    @BeforeEach
    void startTheProcess() throws IOException {
        path = folder.resolve("run/bridge.sock");
        process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n 128; exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        ReadableClasses.in(folder).all(),
                        ExhaustedProgram.class.getName(),
                        path.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        answers = process.inputReader();
        assertThat(answers.readLine()).isEqualTo("ready");
    }

    @AfterEach
    void endTheProcess() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Test
    @DisplayName("D16: without descriptors new connections fail, open ones continue, and the listener recovers")
    void newConnectionsFailAndOpenOnesContinue() throws Exception {
        try (var old = LineClient.to(path)) {
            assertEchoes(old);
            say("exhaust", "exhausted");

            try (var fresh = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
                fresh.configureBlocking(false);
                fresh.write(ByteBuffer.wrap((ECHO + "\n").getBytes(StandardCharsets.US_ASCII)));
                for (int i = 0; i < 50; i++) {
                    assertEchoes(old);
                }
                assertThat(fresh.read(ByteBuffer.allocate(1))).isZero();

                say("free", "freed");

                fresh.configureBlocking(true);
                var line = ByteBuffer.allocate(ECHO.length());
                assertThat(fresh.read(line)).isPositive();
                assertEchoes(old);
            }
        }
    }

    @ParameterizedTest(name = "first of {0}")
    @ValueSource(ints = {1, 20})
    @DisplayName("D16: the first connections that ever close may do so without free descriptors")
    void firstConnectionsMayCloseWithoutDescriptors(int clients) throws Exception {
        var connected = new ArrayList<LineClient>();
        for (int i = 0; i < clients; i++) {
            connected.add(LineClient.to(path));
            assertEchoes(connected.get(i));
        }
        say("exhaust", "exhausted");
        for (var client : connected) {
            client.close();
        }

        for (int i = 0; i < 20; i++) {
            try (var next = LineClient.to(path)) {
                assertEchoes(next);
            }
        }
        say("free", "freed");
        try (var last = LineClient.to(path)) {
            assertEchoes(last);
        }
    }

    private void say(String command, String answer) throws IOException {
        process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
        assertThat(answers.readLine()).isEqualTo(answer);
    }

    private static void assertEchoes(LineClient client) throws IOException {
        client.send(ECHO);
        assertThat(client.receive()).contains(ANSWER);
    }
}
