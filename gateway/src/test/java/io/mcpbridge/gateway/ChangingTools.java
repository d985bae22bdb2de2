package io.mcpbridge.gateway;

import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Script;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** A server with tool definitions from the test, which sends {@code list_changed} on request. */
final class ChangingTools implements Script {
    private final Map<String, String> definitions = new ConcurrentSkipListMap<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<String> arguments = new CopyOnWriteArrayList<>();
    private final List<Wire> wires = new CopyOnWriteArrayList<>();
    private final AtomicInteger lists = new AtomicInteger();
    private volatile boolean isRestless;
    private volatile String result = "{\"content\":[]}";

    ChangingTools tool(String name, String description) {
        return definition(
                name,
                "\"description\":%s,\"inputSchema\":{\"type\":\"object\"}".formatted(JsonStrings.quote(description)));
    }

    /** A tool with these members beside its name. */
    ChangingTools definition(String name, String members) {
        definitions.put(name, members);
        return this;
    }

    /** Sets the result of every call. */
    ChangingTools result(String newResult) {
        result = newResult;
        return this;
    }

    /** Sends {@code list_changed} to every connection. */
    void announce() {
        wires.forEach(wire -> wire.send(Notification.of(Methods.TOOLS_LIST_CHANGED, "{}")));
    }

    /** Sends {@code list_changed} before each response to a list request. */
    void announceWithoutEnd() {
        isRestless = true;
    }

    /** The tools that were called, in order. */
    List<String> calls() {
        return calls;
    }

    /** The arguments of the calls; empty if there were none. */
    List<String> arguments() {
        return arguments;
    }

    /** How often the tools were listed. */
    int lists() {
        return lists.get();
    }

    @Override
    public void received(Message message, Wire wire) {
        if (message instanceof Request request) {
            wire.send(Response.result(request.id(), result(request, wire)));
        }
    }

    private String result(Request request, Wire wire) {
        return switch (request.method()) {
            case Methods.INITIALIZE -> {
                wires.add(wire);
                yield "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{\"listChanged\":true}},"
                        + "\"serverInfo\":{\"name\":\"changing\",\"version\":\"1\"}}";
            }
            case Methods.TOOLS_LIST -> {
                if (isRestless) {
                    announce();
                }
                yield list();
            }
            case Methods.TOOLS_CALL -> {
                calls.add(request.text(MessageField.NAME).orElse(""));
                arguments.add(request.raw(MessageField.ARGUMENTS).orElse(""));
                yield result;
            }
            default -> "{}";
        };
    }

    private String list() {
        lists.incrementAndGet();
        return definitions.entrySet().stream()
                .map(tool -> "{\"name\":%s,%s}".formatted(JsonStrings.quote(tool.getKey()), tool.getValue()))
                .collect(Collectors.joining(",", "{\"tools\":[", "]}"));
    }
}
