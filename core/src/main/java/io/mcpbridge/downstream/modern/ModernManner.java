package io.mcpbridge.downstream.modern;

import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.downstream.calls.Manner;
import io.mcpbridge.era.AnswerDress;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Ending;
import org.jspecify.annotations.Nullable;

/**
 * How a request of the modern era is answered.
 *
 * @param mildest the mildest log messages that the request asked for, null if it asked for none
 * @param serverInfo what we say of ourselves, raw JSON
 */
record ModernManner(@Nullable LogLevel mildest, String serverInfo) implements Manner {

    /** Nothing but log messages, and these only where the request named a level, may precede its answer. */
    @Override
    public boolean wants(Notification event) {
        if (mildest == null || !event.method().equals(Methods.LOG_MESSAGE)) {
            return false;
        }
        return event.text(Part.LEVEL)
                .flatMap(LogLevel::parse)
                .filter(level -> level.isAtLeast(mildest))
                .isPresent();
    }

    @Override
    public Ending answered(Request asked, Response answer) {
        return ending(AnswerDress.modern(answer, asked, serverInfo));
    }

    @Override
    public Ending failed(Request asked, Failure failure, String correlationId) {
        var error = JsonRpcErrors.toResponse(asked.id(), failure, correlationId);
        return ending(AnswerDress.modern(error, asked, serverInfo));
    }

    private static Ending ending(Response answer) {
        var status = answer.raw(Part.ERROR_CODE).map(ModernErrors::status).orElse(200);
        return status == 200 ? Ending.answer(answer) : Ending.refused(status, answer);
    }
}
