package io.mcpbridge.transport.unix;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is not a message, on a real socket: rows A3 to A15 and B1 of the fault matrix. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnixWireTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

    @RegisterExtension
    final TestEnvironment environment = new TestEnvironment();

    @TempDir
    Path folder;

    private UnixListener listener;

    @BeforeEach
    void start() {
        var settings = UnixListenerSettings.of(folder.resolve("run/bridge.sock"));
        listener = new UnixListener(settings, environment.get());
        listener.start(new EchoAcceptor());
    }

    @AfterEach
    void close() {
        listener.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void malformedLineIsAnsweredAndTheNextOneWorks(String name, byte[] line, int code) throws Exception {
        try (var client = LineClient.to(listener.address())) {
            client.sendRaw(line);
            client.sendRaw("\n");
            client.send(PING);

            assertThat(client.receive()).contains("\"code\":" + code).doesNotContain("\"id\":null");
            assertThat(client.receive()).contains("\"id\":1,", "\"result\"");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("toleratedLines")
    void toleratedLineIsServed(String name, String text) throws Exception {
        try (var client = LineClient.to(listener.address())) {
            client.sendRaw(text);

            assertThat(client.receive()).contains("\"id\":1,", "\"result\"");
        }
    }

    static Stream<Arguments> malformed() {
        return Stream.of(
                Arguments.of("A3: a byte that UTF-8 never has", withBytes(0xFF), -32700),
                Arguments.of("A3: an overlong slash", withBytes(0xC0, 0xAF), -32700),
                Arguments.of("A3: half of a surrogate pair", withBytes(0xED, 0xA0, 0x80), -32700),
                Arguments.of("A4: a byte order mark", ("\uFEFF" + PING).getBytes(UTF_8), -32700),
                Arguments.of("A4: UTF-16", PING.getBytes(UTF_16), -32700),
                Arguments.of("A5: a key twice", bytes(PING.replace("}", ",\"id\":2}")), -32600),
                Arguments.of(
                        "A5: a key twice, once with an escape", bytes(PING.replace("}", ",\"\\u0069d\":2}")), -32600),
                Arguments.of("A6: a key in the wrong case", bytes(PING.replace("method", "Method")), -32600),
                Arguments.of("A7: a hundred thousand arrays", bytes("[".repeat(100_000)), -32600),
                Arguments.of("A8: an id that overflows", bytes(PING.replace("1,", "1e400,")), -32600),
                Arguments.of("A10: two messages on a line", bytes(PING + PING), -32600),
                Arguments.of("A10: junk behind a message", bytes(PING + " x"), -32600),
                Arguments.of("A12: a bare CR within a text", bytes(PING.replace("ping", "pi\rng")), -32700),
                Arguments.of("A15: a comment", bytes("/* */" + PING), -32700),
                Arguments.of("B1: an id that is null", bytes(PING.replace("1,", "null,")), -32600),
                Arguments.of("B1: an id that is a fraction", bytes(PING.replace("1,", "1.5,")), -32600),
                Arguments.of("B1: an id that is an object", bytes(PING.replace("1,", "{},")), -32600),
                Arguments.of(
                        "B1: an id of a megabyte",
                        bytes(PING.replace("1,", "\"" + "i".repeat(1 << 20) + "\",")),
                        -32600));
    }

    static Stream<Arguments> toleratedLines() {
        return Stream.of(
                Arguments.of("A12: CR LF", PING + "\r\n"),
                Arguments.of("A12: empty lines", "\n\r\n\n" + PING + "\n"),
                Arguments.of("A12: a line separator of Unicode", PING.replace("}", ",\"x\":\"\u2028\"}") + "\n"),
                Arguments.of("A12: a bare CR between tokens", PING.replace(",", ",\r") + "\n"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static byte[] withBytes(int... odd) {
        var line = bytes(PING.replace("ping", "#".repeat(odd.length)));
        int at = PING.indexOf("ping");
        for (int i = 0; i < odd.length; i++) {
            line[at + i] = (byte) odd[i];
        }
        return line;
    }
}
