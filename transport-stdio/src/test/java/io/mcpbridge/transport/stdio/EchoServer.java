package io.mcpbridge.transport.stdio;

import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Intake;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** A program that serves over its standard streams: it repeats params as results until its input ends. */
final class EchoServer implements Intake {
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Fixture fixture;

    private EchoServer(Fixture fixture) {
        this.fixture = fixture;
    }

    public static void main(String[] arguments) throws InterruptedException {
        try (var fixture = new Fixture()) {
            var server = new EchoServer(fixture);
            var listener = new StdioListener(StdioListenerSettings.DEFAULTS, fixture.environment);
            listener.start(peer -> Optional.of(server));
            server.closed.await();
            listener.close();
        }
        System.out.println("printed after the end");
    }

    @Override
    public void received(Exchange exchange) {
        exchange.message().ifPresent(message -> answer(exchange, (Request) message));
    }

    @Override
    public void closed() {
        closed.countDown();
    }

    private void answer(Exchange exchange, Request request) {
        var result = Ending.answer(
                Response.result(request.id(), request.raw(MessageField.PARAMS).orElse("{}")));
        switch (request.method()) {
            case "print" -> {
                System.out.println("a stray print");
                exchange.end(result);
            }
            case "later" -> fixture.timekeeper.schedule(Duration.ofMillis(300), () -> exchange.end(result));
            default -> exchange.end(result);
        }
    }
}
