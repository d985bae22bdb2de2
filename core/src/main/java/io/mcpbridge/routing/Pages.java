package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Principal;
import io.mcpbridge.internal.seal.Seal;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Part;
import io.mcpbridge.upstream.lists.ListKind;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Cuts merged lists into pages. A cursor says how many elements were told and, by a digest, which; it is sealed for the
 * user and the list that it was made for, so it leads on from there or nowhere. Any thread.
 */
final class Pages {
    /** How many elements a page has at the most. */
    static final int MAX_ITEMS = 1_000;

    /** How many characters a page has at the most, unless its first element alone has more. */
    static final int MAX_LENGTH = 1 << 20;

    private static final String PURPOSE = "cursor";
    private static final int DIGEST_DIGITS = 32;

    private final Seal seal = new Seal();

    /**
     * Where a page begins.
     *
     * @param count how many elements were told before
     * @param digest of their keys
     */
    record Position(int count, String digest) {
        static final Position START = new Position(0, digestOf(List.of()));
    }

    /** Where the caller wants to go on; empty if its cursor is none of ours for this caller and method. */
    Optional<Position> position(Call call) {
        var request = call.request();
        if (!request.has(Part.CURSOR)) {
            return Optional.of(Position.START);
        }
        return request.text(Part.CURSOR)
                .flatMap(cursor -> seal.open(PURPOSE, binding(call), cursor))
                .map(Pages::read);
    }

    /** The result that begins there; empty if what was told before is not the beginning of the list any more. */
    <T> Optional<String> page(Call call, ListKind<T> kind, MergedList<T> list, Position from) {
        var keys = List.copyOf(list.exposed().keySet());
        if (from.count > keys.size() || !digestOf(keys.subList(0, from.count)).equals(from.digest)) {
            return Optional.empty();
        }
        var json = new StringBuilder("{\"").append(kind.member()).append("\":[");
        var end = append(json, kind, List.copyOf(list.exposed().values()), from.count);
        json.append(']');
        if (end < keys.size()) {
            var next = end + ":" + digestOf(keys.subList(0, end));
            json.append(",\"nextCursor\":").append(JsonText.quote(seal.seal(PURPOSE, binding(call), next)));
        }
        return Optional.of(json.append('}').toString());
    }

    /** Appends as many elements as a page holds; the number of the first one that is left. */
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
        Principal principal = call.caller().principal();
        return call.request().method() + " " + principal.proof() + ":" + principal.name();
    }

    private static Position read(String content) {
        var colon = content.indexOf(':');
        return new Position(Integer.parseInt(content.substring(0, colon)), content.substring(colon + 1));
    }

    private static String digestOf(List<String> keys) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (var key : keys) {
                // Quoted, so that no two lists of keys read the same.
                digest.update(JsonText.quote(key).getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest()).substring(0, DIGEST_DIGITS);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
