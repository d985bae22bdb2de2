package io.mcpbridge.engine.upstream.lists;

import io.mcpbridge.call.Caller;
import io.mcpbridge.era.ListChange;
import io.mcpbridge.internal.definition.ItemRules;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.tool.ToolDefinition;
import java.util.Optional;

/**
 * A kind of list: its names on the wire, and how its elements are read. There are four.
 *
 * @param <T> one element
 */
public abstract sealed class ListKind<T> permits ListKind.Tools, ListKind.Items {
    public static final ListKind<ToolDefinition> TOOLS = new Tools();

    public static final ListKind<ListItem> RESOURCES =
            new Items(Methods.RESOURCES_LIST, "resources", ListChange.RESOURCES, "resource", ItemRules.RESOURCE);

    public static final ListKind<ListItem> TEMPLATES = new Items(
            Methods.RESOURCES_TEMPLATES_LIST,
            "resourceTemplates",
            ListChange.RESOURCES,
            "resource template",
            ItemRules.RESOURCE_TEMPLATE);

    public static final ListKind<ListItem> PROMPTS =
            new Items(Methods.PROMPTS_LIST, "prompts", ListChange.PROMPTS, "prompt", ItemRules.PROMPT);

    private final String method;
    private final String member;
    private final ListChange change;
    private final String word;

    private ListKind(String method, String member, ListChange change, String word) {
        this.method = method;
        this.member = member;
        this.change = change;
        this.word = word;
    }

    /** The kind of list whose element a request of this method names by {@code params.name}. */
    public static Optional<ListKind<?>> named(String method) {
        return switch (method) {
            case Methods.TOOLS_CALL -> Optional.of(TOOLS);
            case Methods.PROMPTS_GET -> Optional.of(PROMPTS);
            default -> Optional.empty();
        };
    }

    /** The method of the request for a page. */
    public String method() {
        return method;
    }

    /** The member of the result that holds the elements. */
    public String member() {
        return member;
    }

    /** The capability that a server with such a list declares. */
    public String capability() {
        return change.capability();
    }

    /** The notification that the list has changed. */
    public Notification changed() {
        return change.notification();
    }

    boolean isChangedBy(Notification notification) {
        return change.isAnnouncedBy(notification);
    }

    /** The word for one element in messages. */
    public String word() {
        return word;
    }

    /** The name or URI of an element. */
    public abstract String key(T element);

    /** The member of an element that holds its key. */
    abstract String keyMember();

    public abstract String json(T element);

    /** The same element under another key. */
    public abstract T renamed(T element, String newKey);

    /**
     * Reads one element, in the words of the protocol where a server of this era means the right thing in its own.
     *
     * @throws io.mcpbridge.failure.ProtocolException if it has no key
     */
    abstract T parse(String json, Era era);

    /** Why an element that was listed for this caller breaks the protocol; empty if it does not. */
    abstract Optional<String> flaw(T element, ServerListsContext context, Caller caller);

    @Override
    public String toString() {
        return member;
    }

    static final class Tools extends ListKind<ToolDefinition> {
        private Tools() {
            super(Methods.TOOLS_LIST, "tools", ListChange.TOOLS, "tool");
        }

        @Override
        public String key(ToolDefinition element) {
            return element.name();
        }

        @Override
        String keyMember() {
            return "name";
        }

        @Override
        public String json(ToolDefinition element) {
            return element.json().text();
        }

        @Override
        public ToolDefinition renamed(ToolDefinition element, String newKey) {
            return element.withName(newKey);
        }

        @Override
        ToolDefinition parse(String json, Era era) {
            return ToolDefinition.parse(json).mended(era);
        }

        @Override
        Optional<String> flaw(ToolDefinition element, ServerListsContext context, Caller caller) {
            return context.flaw(element, caller);
        }
    }

    static final class Items extends ListKind<ListItem> {
        private final ItemRules kind;

        private Items(String method, String member, ListChange change, String word, ItemRules kind) {
            super(method, member, change, word);
            this.kind = kind;
        }

        @Override
        public String key(ListItem element) {
            return element.key();
        }

        @Override
        String keyMember() {
            return kind.key();
        }

        @Override
        public String json(ListItem element) {
            return element.json();
        }

        @Override
        public ListItem renamed(ListItem element, String newKey) {
            return element.withKey(kind.key(), newKey);
        }

        @Override
        ListItem parse(String json, Era era) {
            return new ListItem(ListItem.parse(kind.key(), json).key(), kind.mended(json));
        }

        @Override
        Optional<String> flaw(ListItem element, ServerListsContext context, Caller caller) {
            return kind.flaw(element.json());
        }
    }
}
