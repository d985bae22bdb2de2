package io.mcpbridge.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RawClient;
import io.mcpbridge.testkit.RecordingAcceptor;
import io.mcpbridge.testkit.Residue;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every {@link Listener} promises. A transport module extends this and supplies listener and client. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
public abstract class ListenerContract extends ListenerMessages {
    /** A listener that has not started, at a place of its own. */
    protected abstract Listener listener() throws Exception;

    /** A client of the listener, which was started and has this address. */
    protected abstract RawClient connect(URI address) throws Exception;

    /** Whether messages share one stream, or each has its own. */
    protected abstract TransportTraits.Shape shape();

    @Override
    final Listener make() throws Exception {
        return listener();
    }

    @Override
    final RawClient client(URI address) throws Exception {
        return connect(address);
    }

    @Override
    final TransportTraits.Shape peerShape() {
        return shape();
    }

    @Test
    void exchangesAreAbandonedWhenTheirClientLeaves() throws Exception {
        var abandoned = new AtomicInteger();
        var client = start();
        client.send(request(1));
        var exchange = acceptor.awaitMessage();
        exchange.onAbandoned(abandoned::incrementAndGet);

        client.close();

        Eventually.holds("the exchange to be abandoned", () -> abandoned.get() == 1);
        Eventually.holds("offers to be refused", () -> exchange.offer(progress(1)) == Exchange.Offer.FULL);
        exchange.end(Ending.answer(Response.result(MessageId.of(1), "{}")));
        exchange.onAbandoned(abandoned::incrementAndGet);
        assertThat(abandoned).hasValue(2);
    }

    @Test
    void endOfAConnectionIsTold() throws Exception {
        var client = start();
        assumeTrue(isShared(), "the intake is the listener's, not the connection's");
        acceptor.await(Exchange.Kind.LISTEN);

        client.close();

        Eventually.holds("the intake to be closed", () -> acceptor.closings() == 1);
    }

    @Test
    void endedExchangeIsNotAbandoned() throws Exception {
        var abandoned = new AtomicInteger();
        var client = start();
        client.send(request(1));
        var exchange = acceptor.awaitMessage();
        exchange.onAbandoned(abandoned::incrementAndGet);
        exchange.end(Ending.answer(Response.result(MessageId.of(1), "{}")));
        client.receive();

        client.close();
        listener.close();

        assertThat(abandoned).hasValue(0);
    }

    @Test
    void peerThatIsTurnedAwayIsDisconnected() throws Exception {
        assumeTrue(isShared(), "peers are not told apart before they send");
        listener.start(RecordingAcceptor.turningAway());

        try (var client = connect(listener.address())) {
            client.awaitEnd();
        }
    }

    @Test
    void connectionsGoOnAfterItStopsAccepting() throws Exception {
        try (var client = start()) {
            client.send(request(1));
            var exchange = acceptor.awaitMessage();

            listener.stopAccepting();
            exchange.end(Ending.answer(Response.result(MessageId.of(1), "\"late\"")));

            assertThat(client.receive()).contains("late");
            var peers = acceptor.peers().size();
            assertThat(catchThrowable(this::connectAndAsk)).isInstanceOf(IOException.class);
            assertThat(acceptor.peers()).hasSize(peers);
        }
    }

    /** The system may take the connection for a moment still, but nobody is there to answer. */
    private void connectAndAsk() throws Exception {
        try (var late = connect(listener.address())) {
            late.send(request(2));
            late.receive();
        }
    }

    @Test
    void closeEndsEveryConnectionAndExchange() throws Exception {
        var abandoned = new AtomicInteger();
        try (var client = start()) {
            client.send(request(1));
            acceptor.awaitMessage().onAbandoned(abandoned::incrementAndGet);

            listener.close();
            listener.close();

            client.awaitEnd();
            Eventually.holds("the exchange to be abandoned", () -> abandoned.get() == 1);
            Eventually.holds("the intake to be closed", () -> acceptor.closings() == 1);
        }
    }

    @Test
    void closingWhatNeverStartedIsHarmless() {
        assertThatCode(listener::close).doesNotThrowAnyException();
    }

    @Test
    void nothingIsLeftBehind() throws Exception {
        var before = Residue.now();
        try (var client = start()) {
            client.send(request(1));
            acceptor.awaitMessage();
        }

        listener.close();

        before.assertNothingLeft();
    }
}
