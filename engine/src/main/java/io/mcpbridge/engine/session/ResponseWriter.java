package io.mcpbridge.engine.session;

import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.era.ResponseTranslator;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Exchange.Ending;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Writes responses in the form of the era of their requests. Any thread. */
sealed interface ResponseWriter permits ResponseWriter.Legacy, ResponseWriter.Modern {

    /** Whether the client receives this notification of its call; not called for progress. */
    boolean passes(Notification event);

    /** Writes the answer of a server, without members that only the bridge may write. */
    Ending answered(Request asked, Response answer);

    Ending failed(Request asked, Failure failure, String correlationId);

    /** Whether a notification is a log message of at least this severity. */
    private static boolean isLoggedAt(Notification event, LogLevel level) {
        return event.text(MessageField.LEVEL)
                .flatMap(LogLevel::parse)
                .filter(own -> own.isAtLeast(level))
                .isPresent();
    }

    /**
     * The writer for the requests of a legacy session.
     *
     * @param level the log level of the session
     */
    record Legacy(Supplier<LogLevel> level) implements ResponseWriter {

        @Override
        public boolean passes(Notification event) {
            return !event.method().equals(Methods.LOG_MESSAGE)
                    || event.text(MessageField.LEVEL).flatMap(LogLevel::parse).isEmpty()
                    || isLoggedAt(event, level.get());
        }

        @Override
        public Ending answered(Request asked, Response answer) {
            return Ending.answer(ResponseTranslator.legacy(BridgeMembers.remove(answer), asked));
        }

        @Override
        public Ending failed(Request asked, Failure failure, String correlationId) {
            return Ending.answer(JsonRpcErrorMapper.toResponse(asked.id(), failure, correlationId));
        }
    }

    /**
     * The writer for one modern request.
     *
     * @param level the log level of the request; null if it wants no log messages
     * @param serverInfo the self-description of the bridge, raw JSON
     */
    record Modern(@Nullable LogLevel level, String serverInfo) implements ResponseWriter {

        /** Only log messages may precede the answer, and only where the request names a level. */
        @Override
        public boolean passes(Notification event) {
            return level != null && event.method().equals(Methods.LOG_MESSAGE) && isLoggedAt(event, level);
        }

        @Override
        public Ending answered(Request asked, Response answer) {
            return ending(ResponseTranslator.modern(BridgeMembers.remove(answer), asked, serverInfo));
        }

        @Override
        public Ending failed(Request asked, Failure failure, String correlationId) {
            var error = JsonRpcErrorMapper.toResponse(asked.id(), failure, correlationId);
            return ending(ResponseTranslator.modern(error, asked, serverInfo));
        }

        private static Ending ending(Response answer) {
            var status = answer.raw(MessageField.ERROR_CODE).map(Modern::status).orElse(200);
            return status == 200 ? Ending.answer(answer) : Ending.refused(status, answer);
        }

        private static int status(String errorCode) {
            return switch (errorCode) {
                case "-32601" -> 404;
                case "-32020", "-32021", "-32022" -> 400;
                default -> 200;
            };
        }
    }
}
