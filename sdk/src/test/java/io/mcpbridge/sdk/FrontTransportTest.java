package io.mcpbridge.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.sdk.FrontTransport.Front;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Exchange.Offer;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.testkit.Eventually;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** What a bridge and a client see of each other at the transport between them. */
@Timeout(60)
class FrontTransportTest {
    private final BlockingQueue<Exchange> toBridge = new LinkedBlockingQueue<>();
    private final BlockingQueue<JSONRPCMessage> toClient = new LinkedBlockingQueue<>();
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final FrontTransport transport = new FrontTransport(this::front);
    private Runnable whileOpening = () -> {};
    private Runnable whileAccepting = () -> {};

    private Front front() {
        whileOpening.run();
        return new Front(
                peer -> {
                    whileAccepting.run();
                    return Optional.of(new RecordingIntake());
                },
                ended::incrementAndGet);
    }

    private final class RecordingIntake implements Intake {
        @Override
        public void received(Exchange exchange) {
            toBridge.add(exchange);
        }

        @Override
        public void closed() {
            closed.incrementAndGet();
        }
    }

    @AfterEach
    void close() {
        released.countDown();
        transport.close();
    }

    @Test
    void pingIsAnsweredWhileACallbackBlocks() throws InterruptedException {
        var session = connect(true);
        session.offer(Notification.of("notifications/message"));

        session.offer(Request.of(MessageId.of(7), "ping", "{}"));

        assertThat(next().message().orElseThrow().json()).contains("\"id\":7", "\"result\"");
    }

    @Test
    void notificationsOverTheLimitAreDroppedButResponsesAreNot() throws InterruptedException {
        var session = connect(true);
        call();
        var call = next();
        var large = Notification.of("notifications/message", "{\"data\":\"" + "x".repeat(12 << 20) + "\"}");

        int queued = 0;
        while (session.offer(large) == Offer.QUEUED) {
            queued++;
        }
        // The one that blocks the callback waits no longer, if the client has received it by now.
        assertThat(queued).isBetween(3, 4);
        call.end(Ending.answer(Response.result(MessageId.of("1"), "{}")));

        released.countDown();
        for (int i = 0; i < queued; i++) {
            assertThat(received()).isNotInstanceOf(JSONRPCResponse.class);
        }
        assertThat(received()).isInstanceOf(JSONRPCResponse.class);
    }

    @Test
    void unreadableResponseFailsItsCall() throws InterruptedException {
        connect(false);
        call();

        next().end(Ending.answer(Response.result(MessageId.of("1"), "{\"n\":" + "1".repeat(2_000) + "}")));

        assertThat(received()).isInstanceOfSatisfying(JSONRPCResponse.class, answer -> {
            assertThat(answer.id()).isEqualTo("1");
            assertThat(answer.error().message()).contains("The SDK cannot read a message");
        });
    }

    @Test
    void answerThatCannotBeSentIsAnError() throws InterruptedException {
        connect(false);

        transport.sendMessage(JSONRPCResponse.result("7", "x".repeat(16 << 20))).block();

        assertThat(next().message().orElseThrow().json())
                .contains("\"id\":\"7\"", "\"error\"", "The SDK wrote 167772", "more than 16777216 bytes");
    }

    @Test
    void sessionThatTheBridgeEndsIsReleased() throws InterruptedException {
        connect(false).end(Ending.empty());

        assertThatThrownBy(this::call).hasMessageContaining("the bridge is closed");
        Eventually.holds("the release", () -> ended.get() == 1);
        transport.close();
        assertThat(closed).hasValue(1);
        assertThat(ended).hasValue(1);
    }

    @Test
    void callOfAClosedClientIsAbandoned() throws InterruptedException {
        connect(false);
        call();
        var abandoned = new CountDownLatch(1);
        next().onAbandoned(abandoned::countDown);

        transport.close();

        assertThat(abandoned.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void closeDuringConnectEndsTheSession() {
        whileOpening = transport::close;
        assertEndedAtOnce();
    }

    @Test
    void closeWhileTheBridgeAcceptsEndsTheSession() {
        whileAccepting = transport::close;
        assertEndedAtOnce();
    }

    private void assertEndedAtOnce() {
        transport.connect(messages -> messages).block();

        assertThat(closed).hasValue(1);
        assertThat(ended).hasValue(1);
        assertThatThrownBy(this::call).hasMessageContaining("the client is closed");
    }

    @Test
    void messageDuringConnectFails() throws InterruptedException {
        var failure = new AtomicReference<@Nullable Throwable>();
        whileAccepting = () -> failure.set(catchThrowable(this::call));

        connect(false);

        assertThat(failure.get()).hasMessageContaining("it is connecting");
        call();
        assertThat(next().message()).isPresent();
    }

    private void call() {
        transport.sendMessage(new JSONRPCRequest("tools/call", "1", null)).block();
    }

    /** Connects, and returns the exchange of the session. */
    private Exchange connect(boolean blocks) throws InterruptedException {
        transport
                .connect(messages -> messages.doOnNext(message -> {
                    if (blocks) {
                        awaitRelease();
                    }
                    toClient.add(message);
                }))
                .block();
        return next();
    }

    private void awaitRelease() {
        Mono.fromCallable(() -> released.await(60, TimeUnit.SECONDS)).block();
    }

    private Exchange next() throws InterruptedException {
        return Objects.requireNonNull(toBridge.poll(30, TimeUnit.SECONDS));
    }

    private JSONRPCMessage received() throws InterruptedException {
        return Objects.requireNonNull(toClient.poll(30, TimeUnit.SECONDS));
    }
}
