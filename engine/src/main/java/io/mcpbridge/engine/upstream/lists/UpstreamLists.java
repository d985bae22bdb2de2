package io.mcpbridge.engine.upstream.lists;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.engine.upstream.connection.ToolCallCheck.KnownTools;
import io.mcpbridge.engine.upstream.connection.UpstreamParts;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Notification;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolHints;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** The lists of one upstream: tools, resources, their templates, and prompts. Any thread may use it. */
public final class UpstreamLists {
    private final ServerListsContext context;
    private final ListsByCaller<ToolDefinition> tools;
    private final Map<ListKind<?>, ListsByCaller<?>> byKind = new LinkedHashMap<>();

    /**
     * Makes the lists of {@code server}, which are not loaded yet.
     *
     * @param remarks receives what an operator should know of them
     * @param onChange receives the {@code list_changed} of a list that differs from the one before
     */
    public UpstreamLists(UpstreamParts parts, ListSource server, ListRemarks remarks, Consumer<Notification> onChange) {
        this.context = new ServerListsContext(parts, server, remarks);
        var folder = parts.listFolder();
        var file = folder == null || !parts.settings().shared()
                ? null
                : new ListFile<>(ListKind.TOOLS, parts.settings(), parts.environment(), folder);
        this.tools = new ListsByCaller<>(
                context, ListKind.TOOLS, name -> new ListCache.InCatalog(parts, name), file, onChange);
        byKind.put(ListKind.TOOLS, tools);
        for (var kind : List.of(ListKind.RESOURCES, ListKind.TEMPLATES, ListKind.PROMPTS)) {
            byKind.put(
                    kind, new ListsByCaller<>(context, kind, name -> new ListCache.InMemory<>(kind), null, onChange));
        }
    }

    public ListsByCaller<ToolDefinition> tools() {
        return tools;
    }

    /** The list of one kind. */
    public <T> ListsByCaller<T> of(ListKind<T> kind) {
        // The constructor puts each list under its own kind.
        @SuppressWarnings("unchecked")
        var list = (ListsByCaller<T>) Objects.requireNonNull(byKind.get(kind));
        return list;
    }

    /** Lists the tools unless that was done, as the server is connected. */
    public void listTools(Caller caller) {
        if (!tools.wasRequested(caller)) {
            tools.list(caller, ListsByCaller.Callback.of(items -> {}, why -> {}));
        }
    }

    /** Whether the last list for the caller has the tool or prompt that {@code call} names. */
    public boolean name(Call call) {
        var kind = ListKind.named(call.request().method());
        return kind.isPresent()
                && call.request()
                        .text(MessageField.NAME)
                        .flatMap(name -> of(kind.get()).find(call.caller(), name))
                        .isPresent();
    }

    /** The hints for a tool. Those of the operator precede those of the server, which count for more if it is trusted. */
    public ToolHints hints(Caller caller, String tool) {
        if (tool.isEmpty()) {
            return ToolHints.UNDECLARED;
        }
        var declared = tools.find(caller, tool).map(ToolDefinition::hints).orElse(ToolHints.UNDECLARED);
        var settings = context.settings();
        return settings.tool(tool).hints(settings.trusted() ? declared.asTrusted() : declared);
    }

    /**
     * Takes a {@code list_changed} of the server: loads again what was loaded before, and announces it if it differs.
     * Announces the change of a list that was not loaded at once. Ignores other notifications.
     *
     * @param caller over whose connection the notification came
     */
    public void onNotification(Caller caller, Notification notification) {
        var changed = byKind.values().stream()
                .filter(list -> list.kind().isChangedBy(notification))
                .toList();
        if (!changed.isEmpty() && changed.stream().noneMatch(list -> list.wasRequested(caller))) {
            changed.get(0).announceChange();
        }
        changed.forEach(list -> list.onListChanged(caller));
    }

    /** What is known of the tools, for the admission of calls. */
    public KnownTools knownTools() {
        return new ListedTools(tools);
    }

    /**
     * Loads again what was loaded before, as after a connection was lost.
     *
     * @param cause the correlation id of what causes it
     * @param then runs when the tools are listed or cannot be listed
     */
    public void reload(String cause, Runnable then) {
        byKind.values().forEach(list -> list.reload(cause, list.kind() == ListKind.TOOLS ? then : () -> {}));
    }

    /** Loads nothing more by itself. What is known stays. */
    public void close() {
        context.close();
    }

    /** Removes the lists of a server that is gone, and its tools from the catalog. */
    public void clear() {
        byKind.values().forEach(ListsByCaller::clear);
    }

    /** The tools of a server as it listed them, for the admission of calls. */
    private record ListedTools(ListsByCaller<ToolDefinition> tools) implements KnownTools {

        @Override
        public Optional<ToolDefinition> find(Caller caller, String tool) {
            return tools.find(caller, tool);
        }

        @Override
        public void learn(Caller caller, Runnable then, Consumer<Failure> failed) {
            tools.reload(caller);
            tools.listCurrent(caller, ListsByCaller.Callback.of(items -> then.run(), failed));
        }

        @Override
        public long lastChange(Caller caller) {
            return tools.of(caller).lastChange();
        }

        @Override
        public boolean isCurrent(Caller caller, long change) {
            return tools.of(caller).isListedSince(change);
        }

        @Override
        public void refresh(Caller caller, long change, Consumer<Optional<Failure>> then) {
            if (isCurrent(caller, change)) {
                then.accept(Optional.empty());
            } else {
                tools.listCurrent(
                        caller,
                        ListsByCaller.Callback.of(
                                items -> then.accept(Optional.empty()), why -> then.accept(Optional.of(why))));
            }
        }
    }
}
