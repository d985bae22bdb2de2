package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the fields of the envelope. {@link Spans} stores the position of each value under its number, also called its
 * slot. A number is the ordinal of a {@link MessageField}, or one of a few that are private to this package.
 */
final class FieldNumbers {

    /** {@code params.progressToken}, the token of {@code notifications/progress}. */
    static final int PARAMS_PROGRESS_TOKEN = MessageField.values().length;

    /** {@code jsonrpc}, the version of JSON-RPC. */
    static final int JSONRPC = PARAMS_PROGRESS_TOKEN + 1;

    /** The number of slots; {@link Spans} has one bit of a {@code long} for each. */
    static final int COUNT = JSONRPC + 1;

    /** No slot: the bridge does not use the member. */
    static final int NONE = -1;

    private static final Keys[] KEYS = keys();
    private static final @Nullable Scope[] INSIDE = inside();

    private FieldNumbers() {}

    /** The slot of a member whose key has these bytes, or {@link #NONE}. */
    static int of(Scope scope, byte[] bytes, int from, int to) {
        return KEYS[scope.index()].slot(bytes, from, to);
    }

    /** The slot of a member with this key, or {@link #NONE}. */
    static int of(Scope scope, String key) {
        byte[] bytes = key.getBytes(UTF_8);
        return of(scope, bytes, 0, bytes.length);
    }

    /** The scope of the members of the object in this slot; null if they have no slots. */
    static @Nullable Scope scopeInside(int slot) {
        return slot == NONE ? null : INSIDE[slot];
    }

    private static Keys[] keys() {
        var keys = new Keys[Scope.values().length];
        for (Scope scope : Scope.values()) {
            keys[scope.index()] = new Keys(scope);
        }
        return keys;
    }

    private static @Nullable Scope[] inside() {
        var inside = new @Nullable Scope[COUNT];
        inside[MessageField.PARAMS.slot()] = Scope.PARAMS;
        inside[MessageField.META.slot()] = Scope.META;
        inside[MessageField.RESULT.slot()] = Scope.RESULT;
        inside[MessageField.RESULT_META.slot()] = Scope.META;
        inside[MessageField.ERROR.slot()] = Scope.ERROR;
        return inside;
    }

    /** The keys of one scope. */
    private static final class Keys {

        private final NameTable names;
        private final int[] slots;

        Keys(Scope scope) {
            List<String> keys = new ArrayList<>();
            List<Integer> numbers = new ArrayList<>();
            for (MessageField part : MessageField.values()) {
                if (part.scope() == scope) {
                    keys.add(part.key());
                    numbers.add(part.slot());
                }
            }
            if (scope == Scope.TOP) {
                keys.add("jsonrpc");
                numbers.add(JSONRPC);
            }
            if (scope == Scope.PARAMS) {
                keys.add("progressToken");
                numbers.add(PARAMS_PROGRESS_TOKEN);
            }
            this.names = new NameTable(keys);
            this.slots = numbers.stream().mapToInt(Integer::intValue).toArray();
        }

        int slot(byte[] bytes, int from, int to) {
            int index = names.find(bytes, from, to);
            return index == NameTable.NOT_FOUND ? NONE : slots[index];
        }
    }

    /** An object of the envelope whose members have slots. */
    enum Scope {
        /** The message itself. */
        TOP,
        /** The {@code params} of a request or notification. */
        PARAMS,
        /** The {@code _meta} of params or of a result; a message has only one of them. */
        META,
        /** The {@code result} of a response. */
        RESULT,
        /** The {@code error} of a response. */
        ERROR;

        /** The index of the keys of this scope in {@link FieldNumbers}. */
        @SuppressWarnings("EnumOrdinal") // The number indexes an array and is never stored.
        int index() {
            return ordinal();
        }
    }
}
