package io.mcpbridge;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.call.Principal;
import io.mcpbridge.event.EventBus.Subscription;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.spi.Environment;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The Java program as one server meets it: whom it works for, whom it can ask, and who hears its log. Any thread.
 */
final class Counterpart {
    private final Caller quiet;
    private final Logger logger;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    /** Makes the program as {@code server} meets it, which answers by {@code handlers}. */
    Counterpart(String server, Map<String, QuestionHandler> handlers, Environment environment) {
        this.logger = environment.logger();
        this.quiet = new ClientSide(server, handlers, environment)
                .caller()
                .principal(new Principal("java", "process"))
                .session("java")
                .build();
    }

    /** Somebody who hears log messages from a severity on. */
    private record Listener(LogLevel mildest, Consumer<String> target) {}

    /** Who makes a call now. */
    Caller caller() {
        if (listeners.isEmpty()) {
            return quiet;
        }
        var mildest = listeners.stream().map(Listener::mildest).min(LogLevel::compareTo);
        return mildest.map(level -> quiet.but().logLevel(level).build()).orElse(quiet);
    }

    Subscription onLog(LogLevel mildest, Consumer<String> target) {
        var listener = new Listener(mildest, target);
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** The server has sent a log message for a call of the program. */
    void logged(Notification notification) {
        var level = notification.text(Part.LEVEL).flatMap(LogLevel::parse);
        for (var listener : listeners) {
            if (level.filter(heard -> !heard.isAtLeast(listener.mildest())).isEmpty()) {
                tell(listener, notification.raw(Part.PARAMS));
            }
        }
    }

    private void tell(Listener listener, Optional<String> params) {
        try {
            params.ifPresent(listener.target());
        } catch (RuntimeException failed) {
            // The thread reads what the server says and must not end with somebody else's defect.
            logger.log(Level.WARNING, "[mcp-bridge] a listener to a server's log failed", failed);
        }
    }
}
