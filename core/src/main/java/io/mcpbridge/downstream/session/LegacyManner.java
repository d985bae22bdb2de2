package io.mcpbridge.downstream.session;

import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.downstream.calls.Manner;
import io.mcpbridge.era.AnswerDress;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Ending;

/**
 * How requests of one session are answered.
 *
 * @param logFilter what the session asked for
 */
record LegacyManner(LogFilter logFilter) implements Manner {

    @Override
    public boolean wants(Notification event) {
        return logFilter.passes(event);
    }

    @Override
    public Ending answered(Request asked, Response answer) {
        return Ending.answer(AnswerDress.legacy(answer, asked));
    }

    @Override
    public Ending failed(Request asked, Failure failure, String correlationId) {
        return Ending.answer(JsonRpcErrors.toResponse(asked.id(), failure, correlationId));
    }
}
