package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.pipeline.audit.AuditTargets;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolHints;
import io.mcpbridge.upstream.lists.ListKind;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Tells the audit where the router's own look-up has led, in the names of the server that was found. */
final class ForAudit {

    private ForAudit() {}

    static BiConsumer<NameOwners.Target, String> tool(Call call, AuditTargets.Hearer hearer) {
        return (target, exposed) -> {
            var route = target.route();
            var definition = route.tools()
                    .find(call.caller(), target.name())
                    .map(ToolDefinition::json)
                    .orElse("");
            hearer.found(
                    new AuditedCall(Methods.TOOLS_CALL, route.server(), target.name(), definition, sandbox(route)),
                    () -> route.stages().hints(call.caller(), target.name()),
                    (later, reply) -> Router.send(target, exposed, ListKind.TOOLS, later, reply));
        };
    }

    static BiConsumer<NameOwners.Target, String> prompt(AuditTargets.Hearer hearer) {
        return (target, exposed) -> hearer.found(
                named(Methods.PROMPTS_GET, target.route(), target.name()),
                ForAudit::undeclared,
                (later, reply) -> Router.send(target, exposed, ListKind.PROMPTS, later, reply));
    }

    static Consumer<Route> resource(Call call, AuditTargets.Hearer hearer) {
        return route -> hearer.found(
                named(
                        Methods.RESOURCES_READ,
                        route,
                        call.request().text(Part.URI).orElse("")),
                ForAudit::undeclared,
                route.handler());
    }

    static Completions.Hearer completion(AuditTargets.Hearer hearer) {
        return (route, call) -> hearer.found(
                named(Methods.COMPLETION_COMPLETE, route, Completions.subject(call.request())),
                ForAudit::undeclared,
                (later, reply) -> Completions.send(route, later.withRequest(call.request()), reply));
    }

    /** What a request names: its server too, where the name that clients see begins with one that is configured. */
    static AuditedCall named(Routes table, Request request) {
        var name = name(request);
        return Optional.of(request.method())
                .filter(method -> table.names() == ToolNaming.PREFIX && !method.equals(Methods.RESOURCES_READ))
                .flatMap(method -> OwnName.parsePrefixed(name))
                .filter(own -> table.isConfigured(own.server()))
                .map(own -> new AuditedCall(request.method(), own.server(), own.name(), ""))
                .orElseGet(() -> new AuditedCall(request.method(), "", name, ""));
    }

    private static String name(Request request) {
        return request.method().equals(Methods.COMPLETION_COMPLETE)
                ? Completions.subject(request)
                : request.text(Part.NAME).or(() -> request.text(Part.URI)).orElse("");
    }

    private static AuditedCall named(String method, Route route, String name) {
        return new AuditedCall(method, route.server(), name, "", sandbox(route));
    }

    private static ToolHints undeclared() {
        return ToolHints.UNDECLARED;
    }

    private static String sandbox(Route route) {
        return route.sandbox().map(SandboxLevel::name).orElse("");
    }

    /** The look-up ends as the call would have. */
    record Refused(AuditTargets.Hearer hearer) implements Reply {

        @Override
        public void event(Message progressOrLog) {}

        @Override
        public void done(Outcome outcome) {
            hearer.refused(outcome);
        }
    }
}
