package io.mcpbridge.gateway;

import io.mcpbridge.engine.session.ClientStatus;
import io.mcpbridge.message.JsonStrings;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the results of the administrative socket as JSON; {@link AdminJsonReader} parses them. */
final class AdminJsonWriter {
    static final String HEALTH = "bridge/health";
    static final String SERVERS = "bridge/servers";
    static final String CLIENTS = "bridge/clients";

    private AdminJsonWriter() {}

    static String health(BridgeHealth health) {
        var conditions = new JsonObjectWriter();
        health.conditions()
                .forEach(each -> conditions.raw(
                        each.name(), each.write(new JsonObjectWriter()).json()));
        return new JsonObjectWriter()
                .text("status", health.status())
                .text("phase", health.phase())
                .text("version", health.version())
                .number("pid", health.pid())
                .text("since", health.since().toString())
                .number("servers", health.servers())
                .number("serversUnhealthy", health.serversUnhealthy())
                .number("clients", health.clients())
                .number("callsInFlight", health.callsInFlight())
                .number("suspendedCalls", health.suspendedCalls())
                .text(
                        "oldestSuspended",
                        health.oldestSuspended().map(Instant::toString).orElse(""))
                .number("lapsedCalls", health.lapsedCalls())
                .texts("listeners", health.listeners())
                .texts("lastErrors", health.lastErrors())
                .raw("audit", health.audit().write(new JsonObjectWriter()).json())
                .raw("sandbox", health.sandbox().write(new JsonObjectWriter()).json())
                .raw("reload", health.reload().write(new JsonObjectWriter()).json())
                .raw("conditions", conditions.json())
                .json();
    }

    static String servers(List<ManagedServerStatus> servers) {
        var byName = new JsonObjectWriter();
        servers.forEach(server -> byName.raw(server.name(), server(server)));
        return new JsonObjectWriter().raw("servers", byName.json()).json();
    }

    static String clients(List<ClientStatus> clients) {
        var bySession = new JsonObjectWriter();
        clients.forEach(client -> bySession.raw(client.session(), client(client)));
        return new JsonObjectWriter().raw("clients", bySession.json()).json();
    }

    private static String server(ManagedServerStatus server) {
        var json = new JsonObjectWriter()
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
        return server.metrics().write(json).json();
    }

    private static String client(ClientStatus client) {
        return new JsonObjectWriter()
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

    /** Writes one JSON object, member by member. Not thread-safe. */
    static final class JsonObjectWriter {
        private final StringBuilder json = new StringBuilder("{");

        JsonObjectWriter text(String name, String value) {
            return raw(name, JsonStrings.quote(value));
        }

        JsonObjectWriter number(String name, long value) {
            return raw(name, Long.toString(value));
        }

        JsonObjectWriter texts(String name, Collection<String> values) {
            return raw(name, values.stream().map(JsonStrings::quote).collect(Collectors.joining(",", "[", "]")));
        }

        /** Adds a member whose value is JSON. */
        JsonObjectWriter raw(String name, String value) {
            if (json.length() > 1) {
                json.append(',');
            }
            json.append(JsonStrings.quote(name)).append(':').append(value);
            return this;
        }

        String json() {
            return json + "}";
        }
    }
}
