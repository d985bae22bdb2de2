package io.mcpbridge.upstream.lists;

import io.mcpbridge.call.Caller;
import io.mcpbridge.era.ListChange;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.tool.ItemKind;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.ListSource;
import java.util.Optional;
import java.util.function.Function;

/**
 * A kind of list that servers have: how it is asked for, and how its elements are read. There are four.
 *
 * @param <T> one element
 */
public final class ListKind<T> {
    public static final ListKind<ToolDefinition> TOOLS = new ListKind<>(
            new Wire(Methods.TOOLS_LIST, "tools", ListChange.TOOLS), "tool", new Tools(), UpstreamLists::tools);

    public static final ListKind<ListItem> RESOURCES = new ListKind<>(
            new Wire(Methods.RESOURCES_LIST, "resources", ListChange.RESOURCES),
            "resource",
            new Items(ItemKind.RESOURCE),
            UpstreamLists::resources);

    public static final ListKind<ListItem> TEMPLATES = new ListKind<>(
            new Wire(Methods.RESOURCES_TEMPLATES_LIST, "resourceTemplates", ListChange.RESOURCES),
            "resource template",
            new Items(ItemKind.RESOURCE_TEMPLATE),
            UpstreamLists::templates);

    public static final ListKind<ListItem> PROMPTS = new ListKind<>(
            new Wire(Methods.PROMPTS_LIST, "prompts", ListChange.PROMPTS),
            "prompt",
            new Items(ItemKind.PROMPT),
            UpstreamLists::prompts);

    private final Wire wire;
    private final String word;
    private final Elements<T> elements;
    private final Function<UpstreamLists, UpstreamList<T>> place;

    private ListKind(Wire wire, String word, Elements<T> elements, Function<UpstreamLists, UpstreamList<T>> place) {
        this.wire = wire;
        this.word = word;
        this.elements = elements;
        this.place = place;
    }

    /** The kind of what a request of this method names by {@code params.name}. */
    public static Optional<ListKind<?>> named(String method) {
        return switch (method) {
            case Methods.TOOLS_CALL -> Optional.of(TOOLS);
            case Methods.PROMPTS_GET -> Optional.of(PROMPTS);
            default -> Optional.empty();
        };
    }

    /** The request that asks for a page. */
    public String method() {
        return wire.method;
    }

    /** The member of the result that holds the elements. */
    public String member() {
        return wire.member;
    }

    /** What a server declares that has such a list. */
    public String capability() {
        return wire.change.capability();
    }

    /** What a server says when the list has changed. */
    public Notification changed() {
        return wire.change.notification();
    }

    boolean isChangedBy(Notification notification) {
        return wire.change.isToldBy(notification);
    }

    /** What people call one element. */
    public String word() {
        return word;
    }

    /** What an element is asked for by. */
    public String key(T element) {
        return elements.key(element);
    }

    /** The member of an element that holds its key. */
    String keyMember() {
        return elements.member();
    }

    public String json(T element) {
        return elements.json(element);
    }

    /** The same element under another key. */
    public T renamed(T element, String newKey) {
        return elements.renamed(element, newKey);
    }

    /**
     * Reads one element.
     *
     * @throws io.mcpbridge.failure.ProtocolException if it cannot be used
     */
    T parse(String json) {
        return elements.parse(json);
    }

    /** The element in the words of the protocol, where its server means the right thing in its own. */
    T mended(T element, ListSource source) {
        return elements.mended(element, source);
    }

    /** Why an element that was listed for this caller cannot be shown to anybody. */
    Optional<String> flaw(T element, ListSource source, Caller caller) {
        return elements.flaw(element, source, caller);
    }

    UpstreamList<T> of(UpstreamLists lists) {
        return place.apply(lists);
    }

    @Override
    public String toString() {
        return wire.member;
    }

    /** How a list is named on the wire. */
    private record Wire(String method, String member, ListChange change) {}

    /** How elements are read and written. */
    private interface Elements<T> {
        String member();

        T parse(String json);

        T mended(T element, ListSource source);

        Optional<String> flaw(T element, ListSource source, Caller caller);

        String key(T element);

        String json(T element);

        T renamed(T element, String newKey);
    }

    private record Tools() implements Elements<ToolDefinition> {
        @Override
        public String member() {
            return "name";
        }

        @Override
        public ToolDefinition parse(String json) {
            return ToolDefinition.parse(json);
        }

        @Override
        public ToolDefinition mended(ToolDefinition element, ListSource source) {
            return element.mended(source.era());
        }

        @Override
        public Optional<String> flaw(ToolDefinition element, ListSource source, Caller caller) {
            return source.flaw(element, caller);
        }

        @Override
        public String key(ToolDefinition element) {
            return element.name();
        }

        @Override
        public String json(ToolDefinition element) {
            return element.json();
        }

        @Override
        public ToolDefinition renamed(ToolDefinition element, String newKey) {
            return element.withName(newKey);
        }
    }

    private record Items(ItemKind kind) implements Elements<ListItem> {
        @Override
        public String member() {
            return kind.key();
        }

        @Override
        public ListItem parse(String json) {
            return ListItem.parse(kind.key(), json);
        }

        @Override
        public ListItem mended(ListItem element, ListSource source) {
            return new ListItem(element.key(), kind.mended(element.json()));
        }

        @Override
        public Optional<String> flaw(ListItem element, ListSource source, Caller caller) {
            return kind.flaw(element.json());
        }

        @Override
        public String key(ListItem element) {
            return element.key();
        }

        @Override
        public String json(ListItem element) {
            return element.json();
        }

        @Override
        public ListItem renamed(ListItem element, String newKey) {
            return element.withKey(kind.key(), newKey);
        }
    }
}
