package io.mcpbridge.upstream.toolcalls;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.HeldOff;
import io.mcpbridge.spi.Reading;
import java.util.List;
import java.util.Optional;

/**
 * Sends calls of tools where every other request goes, so there is nothing to be told of them alone.
 *
 * @param sessions those that are there for everything; who has them closes them
 */
public record SharedCalls(Handler sessions) implements ToolCalls {

    @Override
    public void handle(Call call, Reply reply) {
        sessions.handle(call, reply);
    }

    @Override
    public void expect(Caller caller) {}

    @Override
    public int underWayElsewhere() {
        return 0;
    }

    @Override
    public Optional<HeldOff> trouble() {
        return Optional.empty();
    }

    @Override
    public List<String> remarks() {
        return List.of();
    }

    @Override
    public List<Reading> readings() {
        return List.of();
    }

    @Override
    public void close(Failure why) {}
}
