package io.mcpbridge.upstream.lists;

import io.mcpbridge.call.Caller;
import io.mcpbridge.era.ParamHeaders;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Era;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.ListSource;
import java.util.Optional;

/**
 * Why a tool that a server lists cannot be shown to anybody: its definition breaks the protocol, or it cannot be called
 * over this connection. Other elements have no faults here. One listing, one thread.
 *
 * @param <T> the elements of the list
 */
final class ToolFaults<T> {
    private final ListSource source;
    private final Caller caller;

    /** @param caller for whom the server is asked */
    ToolFaults(ListSource source, Caller caller) {
        this.source = source;
        this.caller = caller;
    }

    /** The element in the words of the protocol, where a server means the right thing in its own. */
    T mended(T item) {
        if (!(item instanceof ToolDefinition tool)) {
            return item;
        }
        @SuppressWarnings("unchecked")
        var same = (T) tool.mended(era());
        return same;
    }

    /** Why it cannot be used. */
    Optional<String> of(T item) {
        return item instanceof ToolDefinition tool ? tool.flaw(era()).or(() -> faultOfHeaders(tool)) : Optional.empty();
    }

    private Era era() {
        return source.upstream().era().orElse(Era.LEGACY);
    }

    /** Where its schema says something wrong about headers. */
    private Optional<String> faultOfHeaders(ToolDefinition tool) {
        if (!source.repeatsArguments(caller)) {
            return Optional.empty();
        }
        try {
            ParamHeaders.of(tool.inputSchema().orElse("{}"));
            return Optional.empty();
        } catch (ProtocolException wrong) {
            return Optional.of(wrong.failure().message());
        }
    }
}
