package io.mcpbridge.pipeline.audit;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.AuditMode;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Reading;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Writes one pair of records for each request of a client that is forwarded, however often its server is tried, and
 * also where the answer is one that was kept. Stands outside of everything that repeats, shares or keeps.
 *
 * <p>Where records are required, a call is parked until its record is safe: no thread waits. Any thread.
 */
public final class AuditStage implements CallStage {
    private final AuditTargets targets;
    private final Parts parts;

    /**
     * What all calls share.
     *
     * @param threads where calls go on whose records became safe, so that the sink is not kept from its work
     */
    record Parts(
            Records records, AuditMode mode, Continuations continuations, Timekeeper timekeeper, Executor threads) {

        SinkGuard sink() {
            return records.sink();
        }

        Denials denials() {
            return records.denials();
        }
    }

    /**
     * Where records go.
     *
     * @param denials those of calls that do not come so far
     */
    public record Records(SinkGuard sink, Denials denials) {}

    private AuditStage(AuditTargets targets, Parts parts) {
        this.targets = targets;
        this.parts = parts;
    }

    /**
     * The stage of one bridge.
     *
     * @param mode any but {@link AuditMode#OFF}, for which there should be no stage
     * @param threads run the rest of calls that had to wait for their records; not the sink's own
     */
    public static AuditStage of(
            AuditTargets targets, AuditMode mode, Records records, Environment environment, Executor threads) {
        var parts = new Parts(records, mode, new Continuations(), environment.timekeeper(), threads);
        return new AuditStage(targets, parts);
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        if (AuditedParts.areIn(call.request())) {
            new Lookup(call, reply, next, parts).begin(targets);
        } else {
            next.handle(call, reply);
        }
    }

    @Override
    public List<Reading> readings() {
        return parts.sink().readings();
    }
}
