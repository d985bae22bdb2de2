package io.mcpbridge.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Notification;
import io.mcpbridge.testkit.RecordingReceiver;
import io.mcpbridge.testkit.RecordingReceiver.Signal;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What a child writes to its standard output, and what becomes of it. */
@Timeout(60)
@EnabledOnOs({OS.LINUX, OS.MAC})
class ChildStdoutTest {
    private static final String ANSWER = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"hi\"}}";

    private final Fixture fixture = new Fixture();
    private final RecordingReceiver receiver = new RecordingReceiver();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("E12: other lines on standard output are skipped and reported, without secrets")
    void nonMessagesOnStandardOutputAreSkipped() throws Exception {
        var noise = "echo 'Listening, token=abc123'; echo; echo 'More'; printf '\\033[31mred\\n';";

        var message = fixture.messageOf(receiver, "read line; " + noise + " echo '" + ANSWER + "'; cat");

        assertThat(message.json()).isEqualTo(ANSWER);
        var reports = receiver.signals().stream()
                .flatMap(signal -> signal instanceof Signal.Unreadable unreadable ? Stream.of(unreadable) : Stream.of())
                .map(unreadable -> unreadable.why().getMessage())
                .toList();
        assertThat(reports).hasSize(3).noneMatch(report -> report.contains("abc123"));
        assertThat(reports.get(0)).startsWith("'Listening, token=***' on its standard output");
        assertThat(fixture.logger.lines()).noneMatch(line -> line.startsWith("WARNING"));
    }

    @Test
    @DisplayName("E12: too many lines in a row that are not messages end the connection")
    void tooManyNonMessagesInARowEndTheConnection() throws Exception {
        var closed = fixture.closedAfter(
                receiver,
                "i=0; while [ $i -lt " + ChildStdout.MAX_SKIPPED_IN_A_ROW
                        + " ]; do echo word $i; i=$((i+1)); done; cat");

        assertThat(closed.toFailure().code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
        assertThat(closed.reason()).contains("1000 lines in a row were no messages, the last of them 'word 999'");
    }

    @Test
    @DisplayName("E12: one line below the limit is tolerated")
    void oneNonMessageBelowTheLimitIsTolerated() throws Exception {
        var words =
                "i=1; while [ $i -lt " + ChildStdout.MAX_SKIPPED_IN_A_ROW + " ]; do echo word $i; i=$((i+1)); done;";

        var message = fixture.messageOf(receiver, "read line; " + words + " echo '" + ANSWER + "'; " + words + " cat");

        assertThat(message.json()).isEqualTo(ANSWER);
    }

    @Test
    @DisplayName("B8: a response with result and error is reported as unreadable, with its request")
    void invalidResponseNamesItsRequest() throws Exception {
        var transport = fixture.shell(
                "read line; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{\"code\":1}}'; echo '" + ANSWER
                        + "'; cat");
        transport.open(receiver, fixture.deadline());

        transport.send(fixture.request(1, "hello"));
        receiver.awaitMessage();
        transport.close();

        var unreadable = (Signal.Unreadable) receiver.signals().get(1);
        assertThat(unreadable.answerTo()).isEqualTo(Optional.of(MessageId.of(1)));
        assertThat(unreadable.why().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    @DisplayName("A1: a message over the limit ends the connection, and the reason names the limit")
    void messageOverTheLimitEndsTheConnection() throws Exception {
        var closed = fixture.closedAfter(receiver, "head -c 17000000 /dev/zero | tr '\\0' 'x'; cat");

        assertThat(closed.toFailure().code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
        assertThat(closed.reason()).contains("server-frame is 16777216");
    }

    @Test
    @DisplayName("A3: a line that is not UTF-8 is skipped")
    void invalidUtf8LineIsSkipped() throws Exception {
        var message = fixture.messageOf(
                receiver,
                "read line; printf '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\\300\\257\"}\\n'; echo '" + ANSWER
                        + "'; cat");

        assertThat(message.json()).isEqualTo(ANSWER);
    }

    @Test
    @DisplayName("A12: a line may end with CR LF, and a line may be empty")
    void lineMayEndWithCrLf() throws Exception {
        var message = fixture.messageOf(receiver, "read line; printf '\\r\\n\\n" + ANSWER + "\\r\\n'; cat");

        assertThat(message.json()).isEqualTo(ANSWER);
        assertThat(receiver.signals()).noneMatch(Signal.Unreadable.class::isInstance);
    }

    @Test
    @DisplayName("A13: an incomplete last line is not a message")
    void incompleteLastLineIsNotAMessage() throws Exception {
        var closed = fixture.closedAfter(receiver, "printf '" + ANSWER + "'");

        assertThat(closed.exitCode()).hasValue(0);
        assertThat(receiver.messages()).isEmpty();
    }

    @Test
    @DisplayName("E16: messages are UTF-8 both ways, whatever the child's locale")
    void messagesAreUtf8WhateverTheLocale() throws Exception {
        var transport = fixture.shell("export LC_ALL=C; IFS= read -r line; printf '%s\\n' \"$line\"; cat");
        transport.open(receiver, fixture.deadline());
        var note = Notification.of("note", "{\"text\":\"Grüße 🚀 漢字\"}");

        transport.send(fixture.outgoing(note));

        assertThat(receiver.awaitMessage().raw(MessageField.PARAMS)).contains("{\"text\":\"Grüße 🚀 漢字\"}");
        transport.close();
    }
}
