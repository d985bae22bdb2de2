package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.ProtocolVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ends the session with a DELETE. Whatever the server says about it is fine. */
final class Goodbye implements Turn {
    private final Session session;
    private final ProtocolVersion version;
    private final CountDownLatch over = new CountDownLatch(1);

    Goodbye(Session session, ProtocolVersion version) {
        this.session = session;
        this.version = version;
    }

    /** Waits until the server has answered, but not for long. */
    void await(Duration most) {
        try {
            if (!over.await(most.toMillis(), TimeUnit.MILLISECONDS)) {
                session.environment()
                        .logger()
                        .log(
                                System.Logger.Level.DEBUG,
                                "[mcp-bridge] '%s' did not confirm the end of the session in time"
                                        .formatted(session.target().url()));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean begin(Connection connection) {
        return true;
    }

    @Override
    public ByteBuf request(ByteBufAllocator allocator) {
        return session.heads().delete(allocator, session.named(Metadata.EMPTY, version));
    }

    @Override
    public void head(HttpResponse head) {
        over.countDown();
    }

    @Override
    public void body(ByteBuf part) {}

    @Override
    public void end() {
        over.countDown();
    }

    @Override
    public void broken(Throwable cause, boolean handedOver) {
        over.countDown();
    }

    @Override
    public void cannotConnect(Failure why) {
        over.countDown();
    }
}
