package io.mcpbridge.gateway;

import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Matches what the administrative socket answers to who asked. Any thread. */
final class AdminAnswers implements Transport.Receiver {
    private final Map<MessageId, CompletableFuture<Response>> expected = new ConcurrentHashMap<>();
    private volatile @Nullable Closed closed;

    CompletableFuture<Response> expect(MessageId id) {
        var answer = new CompletableFuture<Response>();
        expected.put(id, answer);
        var ended = closed;
        if (ended != null) {
            fail(id, ended.toFailure());
        }
        return answer;
    }

    private void fail(MessageId id, Failure why) {
        var answer = expected.remove(id);
        if (answer != null) {
            answer.completeExceptionally(CallException.of(why));
        }
    }

    @Override
    public void written(Outgoing out) {}

    @Override
    public void message(Message message, Optional<Outgoing> stream) {
        if (message instanceof Response response) {
            response.id().map(expected::remove).ifPresent(answer -> answer.complete(response));
        }
    }

    @Override
    public void failed(Outgoing out, TransportFailure why) {
        if (out.message() instanceof Request request) {
            fail(request.id(), why.failure());
        }
    }

    @Override
    public void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
        answerTo.ifPresent(id -> fail(id, why.failure()));
    }

    @Override
    public void closed(Closed why) {
        closed = why;
        List.copyOf(expected.keySet()).forEach(id -> fail(id, why.toFailure()));
    }
}
