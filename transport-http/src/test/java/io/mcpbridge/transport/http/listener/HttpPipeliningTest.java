package io.mcpbridge.transport.http.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.transport.http.HttpTestEnvironment;
import io.mcpbridge.transport.http.RawHttpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that clients send before the last one was answered, seen from the thread that hands them over. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpPipeliningTest {
    private static final int MOST_THREADS = 2;

    private final FakeTimekeeper clock = new FakeTimekeeper();
    private final BlockingQueue<HttpExchange> received = new LinkedBlockingQueue<>();
    private volatile Consumer<HttpExchange> onReceived = any -> {};
    private final io.mcpbridge.spi.Listener listener = new HttpListenerProvider()
            .create(Settings.of(Map.of("port", 0, "keep-alive", "10s")), HttpTestEnvironment.with(clock));

    @AfterEach
    void end() {
        listener.close();
    }

    @Test
    void requestThatArrivedBeforeTheCloseIsServed() throws Exception {
        onReceived = exchange -> {
            exchange.end(ListenerFixture.answer(1));
            // The connection rests for too long, and the next request is there before it is ended for that.
            onReceived = received::add;
            clock.advance(Duration.ofSeconds(11));
        };
        start();
        try (var client = client()) {
            client.write(client.post("", ListenerFixture.PING) + client.post("", ListenerFixture.PING));
            assertThat(client.response().status()).isEqualTo(200);

            next().end(ListenerFixture.answer(1));

            assertThat(client.response().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"a whole answer", "a stream", "a stream of a session"})
    void nextRequestIsDispatchedWithoutALock(String form) throws Exception {
        onReceived = received::add;
        start();
        try (var client = client()) {
            client.write(client.post("", ListenerFixture.PING) + client.post("", ListenerFixture.PING));
            var first = next();
            begin(first, form);

            var isFree = new CompletableFuture<Boolean>();
            endOnItsThread(first, next -> isFree.complete(isFree(first)));

            assertThat(isFree.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** The clock stands still, so nothing but the requests wakes the event loop. */
    @Test
    void requestThatArrivesWhileTheLastOneIsFinishedIsServed() throws Exception {
        onReceived = received::add;
        start();
        try (var client = client()) {
            for (int i = 0; i < 2_000; i++) {
                client.send(ListenerFixture.PING);
                next().end(ListenerFixture.answer(1));
                assertThat(client.response().status()).isEqualTo(200);
            }
        }
    }

    private static void begin(HttpExchange exchange, String form) {
        if (form.endsWith("session")) {
            exchange.bind("s-1");
        }
        if (form.startsWith("a stream")) {
            exchange.offer(Notification.of(Methods.PROGRESS, "{\"progressToken\":1,\"progress\":1}"));
        }
    }

    /** Ends it on the event loop of its connection, where another connection of that loop is served. */
    private void endOnItsThread(HttpExchange exchange, Consumer<HttpExchange> onNext) throws IOException {
        var others = new ArrayList<RawHttpClient>();
        onReceived = other -> {
            onReceived = onNext;
            exchange.end(ListenerFixture.answer(1));
        };
        try {
            for (int i = 0; i < MOST_THREADS; i++) {
                others.add(client());
            }
            others.get(MOST_THREADS - 1).send(ListenerFixture.PING);
            Eventually.holds("the next request", () -> onReceived == onNext);
        } finally {
            others.forEach(RawHttpClient::close);
        }
    }

    /** Whether another thread can take the locks of the exchange and its stream. */
    private static boolean isFree(HttpExchange exchange) {
        try {
            CompletableFuture.runAsync(exchange::comment).get(30, TimeUnit.SECONDS);
            return true;
        } catch (Exception locked) {
            return false;
        }
    }

    private void start() {
        listener.start(peer -> Optional.of(new Intake() {
            @Override
            public void received(Exchange exchange) {
                onReceived.accept((HttpExchange) exchange);
            }

            @Override
            public void closed() {}
        }));
    }

    private RawHttpClient client() throws IOException {
        return new RawHttpClient(listener.address());
    }

    private HttpExchange next() {
        return Eventually.get(() -> "an exchange", () -> Optional.ofNullable(received.poll()));
    }
}
