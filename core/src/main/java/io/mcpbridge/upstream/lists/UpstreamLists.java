package io.mcpbridge.upstream.lists;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.ListSource;
import io.mcpbridge.upstream.Upstream;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** What one upstream lists: tools, resources, their templates, and prompts. Any thread may use it. */
public final class UpstreamLists {
    private final UnaryOperator<Caller> asking;
    private final ListSource source;
    private final Consumer<Notification> onChange;
    private final UpstreamList<ToolDefinition> tools;
    private final UpstreamList<ListItem> resources;
    private final UpstreamList<ListItem> templates;
    private final UpstreamList<ListItem> prompts;

    /**
     * Makes the lists of {@code upstream}, which nobody has asked for yet.
     *
     * @param asking how a caller appears to the server
     * @param onChange hears the {@code list_changed} of a list that differs from what somebody was told before
     */
    public UpstreamLists(Upstream upstream, UnaryOperator<Caller> asking, Consumer<Notification> onChange) {
        this.source = upstream.listSource();
        this.asking = asking;
        this.onChange = onChange;
        this.tools = new UpstreamList<>(source, ListKind.TOOLS, place -> new CatalogShelf(source, place), this);
        this.resources = inMemory(source, ListKind.RESOURCES);
        this.templates = inMemory(source, ListKind.TEMPLATES);
        this.prompts = inMemory(source, ListKind.PROMPTS);
        upstream.knowToolsFrom(new ListedTools(tools));
        upstream.onOpening(tools::outdate);
    }

    private UpstreamList<ListItem> inMemory(ListSource source, ListKind<ListItem> kind) {
        return new UpstreamList<>(source, kind, place -> new MemoryShelf<>(kind), this);
    }

    /**
     * Has tools left out of what is listed, each alone; before anybody asks.
     *
     * @param faults says why a tool cannot be used; it is asked on a worker and may take a while
     */
    public void leaveOut(Function<ToolDefinition, Optional<String>> faults) {
        tools.siftBy(new UsableTools(source, faults));
    }

    UnaryOperator<Caller> asking() {
        return asking;
    }

    Consumer<Notification> onChange() {
        return onChange;
    }

    public UpstreamList<ToolDefinition> tools() {
        return tools;
    }

    public UpstreamList<ListItem> resources() {
        return resources;
    }

    public UpstreamList<ListItem> templates() {
        return templates;
    }

    public UpstreamList<ListItem> prompts() {
        return prompts;
    }

    /** Whether the tool or prompt that {@code call} names is listed, as far as that is known to its caller. */
    public boolean name(Call call) {
        var kind = ListKind.named(call.request().method());
        return kind.isPresent()
                && call.request()
                        .text(Part.NAME)
                        .flatMap(name -> of(kind.get()).find(call.caller(), name))
                        .isPresent();
    }

    /** The list of one kind. */
    public <T> UpstreamList<T> of(ListKind<T> kind) {
        return kind.of(this);
    }

    /**
     * Takes a {@code list_changed} of the server: what was listed before is listed again, and whoever listens hears of
     * it if it differs. Of a list that nobody has asked for they hear at once. Other notifications do nothing.
     *
     * @param caller in whose session the server said so
     */
    public void changed(Caller caller, Notification notification) {
        var due = all().stream()
                .filter(list -> list.kind().isChangedBy(notification))
                .toList();
        if (!due.isEmpty() && due.stream().noneMatch(list -> list.wasAsked(caller))) {
            onChange.accept(due.get(0).kind().changed());
        }
        due.forEach(list -> list.changed(caller));
    }

    /** Lists again what was listed before, as after a connection was lost. */
    public void listAgain() {
        all().forEach(UpstreamList::listAgain);
    }

    /** The server is gone: forgets all that it listed, its tools in the catalog too. */
    public void forget() {
        all().forEach(UpstreamList::forget);
    }

    private List<UpstreamList<?>> all() {
        return List.of(tools, resources, templates, prompts);
    }
}
