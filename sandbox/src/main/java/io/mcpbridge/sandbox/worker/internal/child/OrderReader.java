package io.mcpbridge.sandbox.worker.internal.child;

import io.mcpbridge.sandbox.worker.internal.frame.Frame;
import io.mcpbridge.sandbox.worker.internal.frame.Order;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Waits for orders, whatever the tool is doing meanwhile: the end of the input means that the pool is gone, and nothing
 * of a call may outlive it.
 */
final class OrderReader {
    private final InputStream in;
    private final CallThread runner;

    OrderReader(InputStream in, CallThread runner) {
        this.in = in;
        this.runner = runner;
    }

    /** Returns when the input has ended. */
    void read() {
        try {
            for (var frame = next(); frame.isPresent(); frame = next()) {
                runner.take(frame.get());
            }
        } catch (IOException broken) {
            // Whoever cannot be understood is as good as gone.
        }
    }

    private Optional<Frame> next() throws IOException {
        return Frame.readFrom(in, Order.MOST_BYTES);
    }
}
