package io.mcpbridge;

import io.mcpbridge.call.Audience;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Tells a Java program of changes of one resource, until it no longer wants to hear of them. Any thread. */
final class ChangeListener implements Audience {
    private final Consumer<String> listener;
    private final Logger logger;
    private final CompletableFuture<Boolean> gone = new CompletableFuture<>();

    ChangeListener(Consumer<String> listener, Logger logger) {
        this.listener = listener;
        this.logger = logger;
    }

    @Override
    public void tell(Notification notification) {
        if (gone.isDone()) {
            return;
        }
        try {
            listener.accept(notification.text(Part.URI).orElse(""));
        } catch (RuntimeException failed) {
            // The thread reads what the server says and must not end with somebody else's defect.
            logger.log(Level.WARNING, "[mcp-bridge] a listener to a resource failed", failed);
        }
    }

    @Override
    public Registration onGone(Runnable action) {
        var leaving = gone.thenRun(action);
        return () -> leaving.cancel(false);
    }

    /** Nobody listens here any more. */
    void end() {
        gone.complete(true);
    }
}
