package io.mcpbridge.testkit.broken;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.testkit.contract.AuditSinkContract;

/** Shows that the sink from which the broken ones differ is right. */
class QueuedAuditSinkTest extends AuditSinkContract {
    private QueuedAuditSink sink = new QueuedAuditSink();

    @Override
    protected AuditSink open() {
        sink = new QueuedAuditSink();
        return sink;
    }

    @Override
    protected String stored() {
        return String.join("\n", sink.records());
    }
}
