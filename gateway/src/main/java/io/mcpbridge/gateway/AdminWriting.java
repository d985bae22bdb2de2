package io.mcpbridge.gateway;

import io.mcpbridge.downstream.registry.ClientRecord;
import java.time.Instant;
import java.util.List;

/** The answers of the administrative socket as JSON; {@link AdminReading} is the other direction. */
final class AdminWriting {
    static final String HEALTH = "bridge/health";
    static final String SERVERS = "bridge/servers";
    static final String CLIENTS = "bridge/clients";

    private AdminWriting() {}

    static String health(BridgeHealth health) {
        var conditions = new JsonObject();
        health.conditions()
                .forEach(each ->
                        conditions.raw(each.name(), each.write(new JsonObject()).json()));
        return new JsonObject()
                .text("status", health.status())
                .text("phase", health.phase())
                .text("version", health.version())
                .number("pid", health.pid())
                .text("since", health.since().toString())
                .number("servers", health.servers())
                .number("serversInTrouble", health.serversInTrouble())
                .number("clients", health.clients())
                .number("callsInFlight", health.callsInFlight())
                .number("parkedCalls", health.parkedCalls())
                .text(
                        "oldestParked",
                        health.oldestParked().map(Instant::toString).orElse(""))
                .number("lapsedCalls", health.lapsedCalls())
                .texts("listeners", health.listeners())
                .texts("lastErrors", health.lastErrors())
                .raw("audit", health.audit().write(new JsonObject()).json())
                .raw("sandbox", health.sandbox().write(new JsonObject()).json())
                .raw("reload", health.reload().write(new JsonObject()).json())
                .raw("conditions", conditions.json())
                .json();
    }

    static String servers(List<ServerRecord> servers) {
        var byName = new JsonObject();
        servers.forEach(server -> byName.raw(server.name(), server(server)));
        return new JsonObject().raw("servers", byName.json()).json();
    }

    static String clients(List<ClientRecord> clients) {
        var bySession = new JsonObject();
        clients.forEach(client -> bySession.raw(client.session(), client(client)));
        return new JsonObject().raw("clients", bySession.json()).json();
    }

    private static String server(ServerRecord server) {
        var json = new JsonObject()
                .text("type", server.type())
                .text("state", server.state())
                .text("since", server.since().toString())
                .text("error", server.error())
                .text("errorAt", server.errorAt().map(Instant::toString).orElse(""))
                .text("address", server.address());
        server.pid().ifPresent(pid -> json.number("pid", pid));
        server.sandbox().ifPresent(level -> json.text("sandbox", level.name()));
        json.text("serverName", server.serverName())
                .text("serverVersion", server.serverVersion())
                .text("protocol", server.protocol())
                .text("era", server.era());
        if (!server.era().isEmpty()) {
            json.text("eraShownBy", server.eraShownBy())
                    .text("eraSince", server.eraSince().toString());
        }
        json.number("sessions", server.sessions())
                .number("connections", server.connections())
                .number("callsInFlight", server.callsInFlight())
                .number("dropped", server.dropped())
                .texts("remarks", server.remarks());
        return server.figures().write(json).json();
    }

    private static String client(ClientRecord client) {
        return new JsonObject()
                .text("clientId", client.clientId())
                .text("name", client.name())
                .text("version", client.version())
                .text("protocol", client.protocol())
                .text("era", client.era())
                .text("processId", client.processId())
                .texts("protocols", client.protocols())
                .text("user", client.principal().name())
                .text("proof", client.principal().proof())
                .text("network", client.network())
                .text("address", client.address())
                .text("since", client.since().toString())
                .number("callsInFlight", client.callsInFlight())
                .json();
    }
}
