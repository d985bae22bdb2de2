package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Makes the first connection, to see that the server can be reached, and leaves it in the pool unused. */
final class FirstConnection implements Turn {
    private final Target target;
    private final ConnectionPool pool;
    private final CompletableFuture<Boolean> made = new CompletableFuture<>();

    FirstConnection(Target target, ConnectionPool pool) {
        this.target = target;
        this.pool = pool;
    }

    /**
     * Waits for it and returns true. Nothing but this thread and the event loops is needed for that.
     *
     * @throws TransportException if the server cannot be reached in time; the pool is closed then
     */
    boolean await(Deadline deadline) throws InterruptedException {
        pool.runFirst(this);
        boolean isMade = false;
        try {
            isMade = made.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
            return isMade;
        } catch (TimeoutException late) {
            var words = "Cannot reach '%s' within %d ms";
            throw TransportException.of(Failure.of(
                            ErrorCode.PROVIDER_TIMEOUT,
                            words.formatted(target.url(), deadline.span().toMillis()))
                    .withCause(late));
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof TransportException known
                    ? known
                    : TransportException.unreachable(target.url(), failed);
        } finally {
            if (!isMade) {
                pool.close();
            }
        }
    }

    @Override
    public boolean begin(Connection connection) {
        // Not before the pool has it back, or the first request would dial another one.
        connection.later(() -> made.complete(true));
        return false;
    }

    @Override
    public ByteBuf request(ByteBufAllocator allocator) {
        throw new IllegalStateException("nothing is asked on the first connection");
    }

    @Override
    public void head(HttpResponse head) {}

    @Override
    public void body(ByteBuf part) {}

    @Override
    public void end() {}

    @Override
    public void broken(Throwable cause, boolean handedOver) {}

    @Override
    public void cannotConnect(Failure why) {
        made.completeExceptionally(TransportException.of(why));
    }
}
