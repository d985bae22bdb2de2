package io.mcpbridge.transport.http.client;

import static io.mcpbridge.transport.http.RawHttpServer.json;
import static io.mcpbridge.transport.http.RawHttpServer.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.transport.http.HttpTestEnvironment;
import io.mcpbridge.transport.http.RawHttpServer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server closes a connection right after its answer, and the next request is sent before the client notices. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StaleConnectionTest implements Transport.Receiver {
    private final HttpTestEnvironment surroundings = new HttpTestEnvironment();
    private final CountDownLatch hungUp = new CountDownLatch(1);
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final AtomicInteger ids = new AtomicInteger();

    @SuppressWarnings("NullAway.Init") // set by the test, which ends with endAll
    private Transport transport;

    @AfterEach
    void endAll() {
        transport.close();
        surroundings.close();
    }

    @ParameterizedTest(name = "with {0}")
    @ValueSource(strings = {"FIN", "RST"})
    @DisplayName("F2: the next request goes out on another connection, once")
    void staleConnectionIsReplacedForTheNextRequest(String how) throws Exception {
        try (var server = new RawHttpServer(talk -> {
            var first = talk.next().orElseThrow();
            talk.write(json(200, result(first.body().replaceAll(".*\"id\":(\\d+).*", "$1"))));
            if (hungUp.getCount() == 0) {
                talk.awaitEnd();
            } else if (how.equals("FIN")) {
                talk.hangUp();
            } else {
                talk.reset();
            }
            hungUp.countDown();
        })) {
            transport = new HttpTransportProvider()
                    .create(Settings.of(Map.of("url", server.url().toString())), surroundings.environment());
            transport.open(this, surroundings.within(Duration.ofSeconds(30)));

            send();

            assertThat(heard.poll(30, TimeUnit.SECONDS)).contains("\"id\":1");
            assertThat(heard.poll(30, TimeUnit.SECONDS)).contains("\"id\":2");
            assertThat(server.heard()).hasSize(2);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    private void send() {
        var request = Request.of(MessageId.of(ids.incrementAndGet()), Methods.TOOLS_CALL, "{}");
        transport.send(
                Outgoing.of(request, ProtocolVersion.LATEST_LEGACY, surroundings.within(Duration.ofSeconds(20))));
    }

    /** Runs on the event loop, which therefore notices nothing while the server closes. */
    @Override
    public void message(Message message, Optional<Outgoing> stream) {
        heard.add(message.json());
        if (ids.get() == 1) {
            try {
                assertThat(hungUp.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            send();
        }
    }

    @Override
    public void writing(Outgoing out) {}

    @Override
    public void failed(Outgoing out, RequestFailure why) {
        heard.add(why.failure().toString());
    }

    @Override
    public void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
        heard.add(why.toString());
    }

    @Override
    public void closed(Closed why) {
        heard.add(why.reason());
    }
}
