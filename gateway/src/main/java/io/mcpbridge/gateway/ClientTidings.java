package io.mcpbridge.gateway;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.downstream.calls.ClientNews;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Notification;
import io.mcpbridge.routing.Router;

/**
 * Passes on what happens at clients outside of their calls: what they tell goes to the servers, and what they were
 * refused to the audit.
 */
record ClientTidings(Router router, DaemonAudit audit) implements ClientNews {

    @Override
    public void told(Caller caller, Notification notification) {
        router.told(caller, notification);
    }

    @Override
    public void refused(Call call, Failure why) {
        audit.denied(call, why);
    }
}
