package io.mcpbridge.server;

import io.mcpbridge.tool.ToolHints;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A method with {@link Tool}, as a tool. Immutable.
 *
 * @param members the arguments, without the parameters that are the call
 */
record ToolMethod(Object target, Method method, Tool tool, List<RecordSchema.Member> members) {
    private static final ToolHints DEFAULTS = new ToolHints(false, true, false, true, ToolHints.Source.SERVER);

    /**
     * The annotated methods of an object, also those of its superclasses.
     *
     * @throws IllegalArgumentException if there are none, or one has a parameter without a name
     */
    static List<ToolMethod> of(Object target) {
        var methods = new LinkedHashMap<List<Object>, ToolMethod>();
        for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
            for (var method : type.getDeclaredMethods()) {
                var tool = method.getAnnotation(Tool.class);
                if (tool != null && !method.isBridge()) {
                    var signature = List.<Object>of(method.getName(), List.of(method.getParameterTypes()));
                    methods.putIfAbsent(signature, of(target, method, tool));
                }
            }
        }
        if (methods.isEmpty()) {
            throw new IllegalArgumentException("%s has no method with @Tool; annotate each method that is to be a tool"
                    .formatted(target.getClass().getName()));
        }
        return List.copyOf(methods.values());
    }

    private static ToolMethod of(Object target, Method method, Tool tool) {
        method.setAccessible(true);
        var parameters = Arrays.stream(method.getParameters())
                .filter(parameter -> parameter.getType() != ToolCall.class)
                .toList();
        var names = tool.parameters();
        var subject = method.getDeclaringClass().getName() + "." + method.getName();
        if (names.length > 0 && names.length != parameters.size()) {
            throw new IllegalArgumentException("@Tool(parameters) of %s lists %d names but the method has %d arguments"
                    .formatted(subject, names.length, parameters.size()));
        }
        var members = new ArrayList<RecordSchema.Member>();
        for (var parameter : parameters) {
            if (names.length == 0 && !parameter.isNamePresent()) {
                throw new IllegalArgumentException(
                        "the parameters of %s have no names; compile the class with -parameters, or list them in @Tool(parameters)"
                                .formatted(subject));
            }
            members.add(new RecordSchema.Member(
                    names.length == 0 ? parameter.getName() : names[members.size()],
                    parameter.getParameterizedType(),
                    parameter.getAnnotation(Description.class),
                    subject));
        }
        return new ToolMethod(target, method, tool, members);
    }

    /** The name of the tool. */
    String name() {
        return tool.name().isEmpty()
                ? method.getName().replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT)
                : tool.name();
    }

    /** The configuration, with the schemas of the arguments and of a record that the method returns. */
    ToolConfig config() {
        var config = new ToolConfig(
                tool.title(),
                tool.value(),
                RecordSchema.of(members),
                "",
                hints(),
                tool.essential(),
                tool.parallel(),
                tool.envelope(),
                Set.of(tool.needs()));
        var returned = method.getReturnType();
        return returned.isRecord() ? config.returning(returned.asSubclass(Record.class)) : config;
    }

    /** Undeclared if the annotation has only defaults. */
    private ToolHints hints() {
        var isReadOnly = tool.readOnly();
        var declared = new ToolHints(
                isReadOnly,
                tool.destructive() && !isReadOnly,
                tool.idempotent() || isReadOnly,
                tool.openWorld(),
                ToolHints.Source.SERVER);
        return declared.equals(DEFAULTS) ? ToolHints.UNDECLARED : declared;
    }

    /**
     * Makes the handler of one call.
     *
     * @throws InvalidArgumentsException if the arguments do not fit the parameters
     */
    ToolHandler bind(Map<String, @Nullable Object> arguments) {
        var values = RecordSchema.read(members, arguments);
        return call -> invoke(values, call);
    }

    private @Nullable Object invoke(List<Object> values, ToolCall call) throws Exception {
        var rest = values.iterator();
        var arguments = Arrays.stream(method.getParameterTypes())
                .map(type -> type == ToolCall.class ? call : rest.next())
                .toArray();
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof Error error) {
                throw error;
            }
            throw thrown.getCause() instanceof Exception failure ? failure : thrown;
        }
    }
}
