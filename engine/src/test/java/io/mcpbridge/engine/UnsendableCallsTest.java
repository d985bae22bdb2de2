package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Credentials;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A call that a plug-in keeps from being sent fails alone and does not affect other calls. */
class UnsendableCallsTest {
    private static final int MORE_THAN_MAY_WAIT = 1100;

    private final Breaking credentials = new Breaking();
    private final OneServer bench = OneServer.showing(credentials, Map.of());

    @BeforeEach
    void serveOverHttp() {
        bench.server.streamPerRequest();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void unsendableCallFailsAsNotSent() {
        bench.send();
        credentials.failFrom(1);

        var failure = bench.send().awaitFailure();

        assertThat(failure.code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
        assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(failure.server()).isEqualTo(OneServer.NAME);
        assertThat(failure.message()).contains("was not sent", "the token store is locked");
    }

    @Test
    void unsendableCallsReleaseTheirPlacesInTheQueue() {
        bench.send();
        credentials.failFrom(1);
        Stream.generate(bench::send).limit(MORE_THAN_MAY_WAIT).forEach(RecordingReply::awaitFailure);
        credentials.stopFailing();

        var reply = bench.send();
        bench.connection().answer(bench.connection().last(), "{\"content\":[]}");

        assertThat(reply.awaitAnswer().isError()).isFalse();
    }

    @Test
    void unsendableCallDoesNotAffectOtherQueuedCalls() {
        bench.server.holdHandshakes();
        var replies = List.of(bench.send(), bench.send(), bench.send());

        // The server first receives that the handshake is over.
        credentials.breakOnly(2);
        Handshakes.accept(bench.connection());

        assertThat(replies.stream().map(RecordingReply::isDone)).containsExactly(true, false, false);
        assertThat(toolCalls()).isEqualTo(2);
    }

    @Test
    void callFailsAtOnceIfTheHandshakeCannotBeSent() {
        credentials.failFrom(1);
        var first = bench.send();
        credentials.stopFailing();
        bench.time.advance(Duration.ofMinutes(1));
        var second = bench.send();

        assertThat(first.awaitFailure().message()).contains("the token store is locked");
        assertThat(second.isDone()).isFalse();
        assertThat(toolCalls()).isEqualTo(1);
    }

    private long toolCalls() {
        return bench.connection().requests().stream()
                .filter(out -> ((Request) out.message()).method().equals(Methods.TOOLS_CALL))
                .count();
    }

    /** Throws for some of the messages that are still to come. */
    private static final class Breaking implements Credentials {
        private int asked;
        private int first = Integer.MAX_VALUE;
        private int last = Integer.MAX_VALUE;

        private void failFrom(int message) {
            first = asked + message;
            last = Integer.MAX_VALUE;
        }

        private void breakOnly(int message) {
            first = asked + message;
            last = first;
        }

        private void stopFailing() {
            first = Integer.MAX_VALUE;
        }

        @Override
        public MessageHeaders headers(Principal principal, String server) {
            asked++;
            if (asked >= first && asked <= last) {
                throw new IllegalStateException("the token store is locked");
            }
            return MessageHeaders.EMPTY;
        }
    }
}
