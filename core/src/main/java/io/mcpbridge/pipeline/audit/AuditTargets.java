package io.mcpbridge.pipeline.audit;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.tool.ToolHints;
import java.util.function.Supplier;

/** Finds what calls are about, as the router does that hands them on later. Any thread; never waits. */
public interface AuditTargets {

    /** Tells {@code hearer}, now or later, what the call is about, or how it ends since it is about nothing here. */
    void find(Call call, Hearer hearer);

    /** What a request names, as far as that is known from its words alone. */
    default AuditedCall named(Request request) {
        return AuditedParts.named(request);
    }

    /** Hears once what a call is about. */
    interface Hearer {

        /**
         * It is for a server.
         *
         * @param hints what is said of the tool; asked for only where that matters
         * @param destination takes the call to just this server, whatever other one has been put in its place meanwhile
         */
        void found(AuditedCall call, Supplier<ToolHints> hints, Handler destination);

        /** No server is there for it. */
        void refused(Outcome outcome);
    }
}
