package io.mcpbridge.engine.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.engine.pipeline.Destination;
import io.mcpbridge.engine.translation.LegacyStructuredContent;
import io.mcpbridge.engine.translation.Seal;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.engine.upstream.lists.ListsByCaller;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.CanonicalJson;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.tool.ToolDefinition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Answers list requests of clients with pages of the merged lists.
 *
 * <p>A cursor holds the number of elements on the earlier pages and a digest of their keys. It is sealed for its user
 * and list, and is valid while the list still begins with these elements. Any thread may use it; nothing here waits.
 */
final class ListResponder {
    /** The most elements of a page. */
    static final int MAX_ITEMS = 1_000;

    /** The most characters of a page, unless its first element alone has more. */
    static final int MAX_LENGTH = 1 << 20;

    private static final String PURPOSE = "cursor";
    private static final int DIGEST_DIGITS = 32;

    private final ListAggregator lists;
    private final Seal seal = new Seal();

    ListResponder(ListAggregator lists) {
        this.lists = lists;
    }

    /** The beginning of a page: the number of elements before it, and the digest of their keys. */
    private record Position(int count, String digest) {
        private static final Position START = new Position(0, digestOf(List.of()));
    }

    Destination destination(RoutingTable table, ListKind<?> kind) {
        return Destination.ofBridge(call -> respond(table, call, kind, UnaryOperator.identity()));
    }

    /** Returns the destination that answers with the tools, in the form of the caller's era. */
    Destination toolsDestination(RoutingTable table) {
        return Destination.ofBridge(
                call -> respond(table, call, ListKind.TOOLS, list -> inEra(table, call.caller(), list)));
    }

    /** Passes the tools that a caller sees to {@code then}, at once if every server's list is fresh. */
    void shownTools(RoutingTable table, Call call, Consumer<MergedList<ToolDefinition>> then) {
        var filter = table.filter(ListKind.TOOLS, call.caller());
        lists.merge(table, call, ListKind.TOOLS, list -> then.accept(inEra(table, call.caller(), list.only(filter))));
    }

    private static MergedList<ToolDefinition> inEra(
            RoutingTable table, Caller caller, MergedList<ToolDefinition> list) {
        if (caller.era() != Era.LEGACY) {
            return list;
        }
        var shown = new LinkedHashMap<String, ToolDefinition>();
        list.exposed().forEach((name, tool) -> {
            var isLegacy = list.owner(name)
                    .flatMap(own -> table.find(own.server()))
                    .filter(ServerRoute::isLegacy)
                    .isPresent();
            shown.put(name, isLegacy ? tool : LegacyStructuredContent.downgrade(tool));
        });
        return new MergedList<>(shown, list.owners(), list.leftOut(), list.missing());
    }

    private <T> void respond(
            RoutingTable table, CallContext call, ListKind<T> kind, UnaryOperator<MergedList<T>> shown) {
        var position = position(call);
        if (position.isEmpty()) {
            var words = "the cursor %s is none of this list for this user; begin again without one";
            reject(call, words.formatted(call.request().raw(MessageField.CURSOR).orElse("")));
            return;
        }
        var filter = table.filter(kind, call.caller());
        Consumer<MergedList<T>> then = list -> page(call, kind, shown.apply(list.only(filter)), position.get())
                .ifPresentOrElse(
                        page -> call.complete(
                                Outcome.answered(Response.result(call.request().id(), page))),
                        () -> reject(
                                call,
                                "the list of %s has changed since the cursor was given; begin again without one"
                                        .formatted(kind)));
        var onlyServer = table.onlyServer();
        // A client with a cursor requests the rest of the same list.
        if (call.request().has(MessageField.CURSOR)) {
            lists.mergeCached(table, call, kind, then);
        } else if (onlyServer.isPresent()) {
            var listed = ListsByCaller.Callback.<T>of(
                    items -> lists.mergeCached(table, call, kind, then), why -> call.complete(Outcome.failed(why)));
            onlyServer.get().lists().of(kind).list(call.causer(), listed);
        } else {
            lists.merge(table, call, kind, then);
        }
    }

    private static void reject(Reply reply, String why) {
        reply.complete(Outcome.failed(Failure.of(ErrorCode.INVALID_PARAMS, why)));
    }

    /** Returns the position in the cursor of a request; empty if the cursor is not for this caller and method. */
    private Optional<Position> position(Call call) {
        var request = call.request();
        if (!request.has(MessageField.CURSOR)) {
            return Optional.of(Position.START);
        }
        return request.text(MessageField.CURSOR)
                .flatMap(cursor -> seal.open(PURPOSE, binding(call), cursor))
                .map(ListResponder::parse);
    }

    private static Position parse(String content) {
        var colon = content.indexOf(':');
        return new Position(Integer.parseInt(content.substring(0, colon)), content.substring(colon + 1));
    }

    /** Returns the result with the page that begins at {@code from}; empty if the elements before it have changed. */
    private <T> Optional<String> page(Call call, ListKind<T> kind, MergedList<T> list, Position from) {
        var keys = List.copyOf(list.exposed().keySet());
        if (from.count > keys.size() || !digestOf(keys.subList(0, from.count)).equals(from.digest)) {
            return Optional.empty();
        }
        var json = new StringBuilder("{\"").append(kind.member()).append("\":[");
        var end = append(json, kind, List.copyOf(list.exposed().values()), from.count);
        json.append(']');
        if (end < keys.size()) {
            var next = end + ":" + digestOf(keys.subList(0, end));
            json.append(",\"nextCursor\":").append(JsonStrings.quote(seal.seal(PURPOSE, binding(call), next)));
        }
        return Optional.of(json.append('}').toString());
    }

    /** Appends as many elements as a page holds; returns the index of the next one. */
    private static <T> int append(StringBuilder json, ListKind<T> kind, List<T> items, int from) {
        var begin = json.length();
        for (int at = from; at < items.size(); at++) {
            var item = kind.json(items.get(at));
            var isFull = at - from >= MAX_ITEMS || json.length() - begin + item.length() >= MAX_LENGTH;
            if (isFull && at > from) {
                return at;
            }
            json.append(at == from ? "" : ",").append(item);
        }
        return items.size();
    }

    private static String binding(Call call) {
        var principal = call.caller().principal();
        return call.request().method() + " " + principal.proof() + ":" + principal.name();
    }

    private static String digestOf(List<String> keys) {
        return CanonicalJson.EXACT.sha256(keys).substring(0, DIGEST_DIGITS);
    }
}
