package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.RecordingAcceptor;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.transport.http.HttpTestEnvironment;
import io.mcpbridge.transport.http.RawHttpClient;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A listener that has started at a port of its own. */
final class ListenerFixture implements AutoCloseable {
    static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

    final RecordingAcceptor acceptor = RecordingAcceptor.takingAll();
    final RecordingLogger log = new RecordingLogger();
    final Listener listener;
    private final HttpTestEnvironment surroundings = new HttpTestEnvironment();

    private ListenerFixture(Map<String, ?> settings) {
        listener = create(settings, surroundings.loggingTo(log));
    }

    private ListenerFixture(Map<String, ?> settings, Timekeeper clock) {
        listener = create(settings, HttpTestEnvironment.with(clock).withLogger(log));
    }

    private static Listener create(Map<String, ?> settings, Environment environment) {
        var values = new HashMap<String, Object>(Map.of("port", 0));
        values.putAll(settings);
        return new HttpListenerProvider().create(Settings.of(values), environment);
    }

    /** Leaves the exchanges to the test. */
    static ListenerFixture with(Map<String, ?> settings) {
        var served = new ListenerFixture(settings);
        served.listener.start(served.acceptor);
        return served;
    }

    /** The same with a clock that the test moves. */
    static ListenerFixture with(Map<String, ?> settings, Timekeeper clock) {
        var served = new ListenerFixture(settings, clock);
        served.listener.start(served.acceptor);
        return served;
    }

    /** Leaves the clients to another acceptor. */
    static ListenerFixture by(Acceptor acceptor) {
        var served = new ListenerFixture(Map.of());
        served.listener.start(acceptor);
        return served;
    }

    /** Answers each message with an empty result. */
    static ListenerFixture echoing(Map<String, ?> settings) {
        var served = new ListenerFixture(settings);
        served.listener.start(echo());
        return served;
    }

    /** The same with a clock that the test moves. */
    static ListenerFixture echoing(Map<String, ?> settings, Timekeeper clock) {
        var served = new ListenerFixture(settings, clock);
        served.listener.start(echo());
        return served;
    }

    /** The same for clients that may send several messages as one array. */
    static ListenerFixture takingBatches() {
        var served = with(Map.of());
        served.acceptor.takesBatches(true);
        return served;
    }

    RawHttpClient client() throws IOException {
        return new RawHttpClient(listener.address());
    }

    /** Has a client send a ping, and binds the exchange to the session {@code s-1}. */
    Exchange asked(RawHttpClient client, String headers) throws IOException {
        client.write(client.post(headers, PING));
        var exchange = acceptor.awaitMessage();
        exchange.bind("s-1");
        return exchange;
    }

    static Notification progress(int value) {
        return Notification.of(Methods.PROGRESS, "{\"progressToken\":1,\"progress\":" + value + "}");
    }

    static Ending answer(long id) {
        return Ending.answer(Response.result(MessageId.of(id), "{}"));
    }

    private static Acceptor echo() {
        return peer -> Optional.of(new Intake() {
            @Override
            public void received(Exchange exchange) {
                exchange.message()
                        .filter(Request.class::isInstance)
                        .map(message -> Response.result(((Request) message).id(), "{}"))
                        .ifPresentOrElse(
                                answer -> exchange.end(Ending.answer(answer)), () -> exchange.end(Ending.accepted()));
            }

            @Override
            public void closed() {}
        });
    }

    @Override
    public void close() {
        listener.close();
        surroundings.close();
    }
}
