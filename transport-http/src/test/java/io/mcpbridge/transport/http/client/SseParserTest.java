package io.mcpbridge.transport.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SseParserTest {
    private static final int MOST = 100;

    private final List<String> events = new ArrayList<>();
    private final List<Duration> retries = new ArrayList<>();
    private final SseParser reader = new SseParser(
            MOST,
            event -> events.add(event.type() + "|" + event.id() + "|" + new String(event.data(), UTF_8)),
            retries::add);

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '@',
            nullValues = "-",
            value = {
                "data: x~~ @ message|null|x",
                "data:x~~ @ message|null|x",
                "data:  x~~ @ message|null| x",
                "data: a~data: b~~ @ message|null|a;b",
                "data~~ @ message|null|",
                "data:~data:~~ @ message|null|;",
                "event: odd~data: x~~ @ odd|null|x",
                "event:~data: x~~ @ message|null|x",
                "id: 7~data: x~~ @ message|7|x",
                "id: 7~data:~~ @ message|7|",
                "id:~data: x~~ @ message||x",
                ": comment~~ @ -",
                "event: odd~~ @ -",
                "data: x~ @ -",
                "data: x @ -",
                "unknown: 1~data: x~~ @ message|null|x",
                "~~~data: x~~ @ message|null|x",
                "\ufeffdata: x~~ @ message|null|x",
                "data: ü🚀~~ @ message|null|ü🚀",
            })
    void streamIsParsedByTheStandardHoweverItIsSplit(String stream, String expected) throws Exception {
        for (var lineEnd : List.of("\n", "\r\n", "\r")) {
            for (int piece : List.of(1, 2, 3, 1000)) {
                events.clear();
                var fresh = new SseParser(
                        MOST,
                        event -> events.add(event.type() + "|" + event.id() + "|" + new String(event.data(), UTF_8)),
                        retries::add);
                var bytes = stream.strip().replace("~", lineEnd).getBytes(UTF_8);

                for (int at = 0; at < bytes.length; at += piece) {
                    fresh.feed(Unpooled.wrappedBuffer(bytes, at, Math.min(piece, bytes.length - at)));
                }

                assertThat(events)
                        .as(
                                "pieces of %d with line end %s",
                                piece, lineEnd.replace("\r", "CR").replace("\n", "LF"))
                        .isEqualTo(expected == null ? List.of() : List.of(expected.replace(';', '\n')));
            }
        }
    }

    @Test
    void idBelongsToItsEventOnly() throws Exception {
        feed("id: 1\ndata: a\n\ndata: b\n\n");

        assertThat(events).containsExactly("message|1|a", "message|null|b");
    }

    @ParameterizedTest(name = "retry: {0}")
    @ValueSource(strings = {"1s", "-1", "1.5", "", "99999999999"})
    void invalidRetryIsIgnored(String value) throws Exception {
        feed("retry: " + value + "\n\n");

        assertThat(retries).isEmpty();
    }

    @Test
    void retryIsReportedUpToItsLimit() throws Exception {
        feed("retry: 1500\n\nretry: 999999999\n\n");

        assertThat(retries).containsExactly(Duration.ofMillis(1500), Duration.ofHours(1));
    }

    @Test
    void dataUpToTheLimitIsRead() throws Exception {
        feed("data: " + "x".repeat(MOST) + "\n\n");

        assertThat(events).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"data: %s\n\n", "data: %1$s\ndata: %1$s\n\n", ": %1$s%1$s%1$s", "id: %1$s%1$s%1$s"})
    void dataBeyondTheLimitEndsTheStream(String stream) {
        // Fields other than data have a little more room.
        var large = stream.startsWith("data") ? "x".repeat(MOST + 1) : "x".repeat(5000);

        assertThatThrownBy(() -> feed(stream.formatted(large))).isInstanceOf(SseParser.TooLarge.class);
    }

    private void feed(String stream) throws SseParser.TooLarge {
        reader.feed(Unpooled.wrappedBuffer(stream.getBytes(UTF_8)));
    }
}
