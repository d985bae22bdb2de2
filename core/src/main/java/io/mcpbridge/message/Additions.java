package io.mcpbridge.message;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** New members that a {@link Splice} will give a message, and the objects around them where those are missing. */
final class Additions {
    /** Objects in which members can stand, the innermost first. */
    private static final List<Scope> INSIDE_OUT = List.of(Scope.META, Scope.PARAMS, Scope.RESULT);

    private final Message message;
    private Map<Scope, Map<String, Fragment>> members = Map.of();

    Additions(Message message) {
        this.message = message;
    }

    /** The part whose members a scope is about. */
    static Part container(Message message, Scope scope) {
        boolean isResponse = message instanceof Response;
        return switch (scope) {
            case PARAMS -> Part.PARAMS;
            case RESULT -> Part.RESULT;
            case META -> isResponse ? Part.RESULT_META : Part.META;
            case ERROR -> Part.ERROR;
            case TOP -> throw new IllegalArgumentException("The message is not a part of itself");
        };
    }

    void put(Scope scope, Fragment member) {
        if (members.isEmpty()) {
            members = new EnumMap<>(Scope.class);
        }
        members.computeIfAbsent(scope, s -> new LinkedHashMap<>()).put(member.key(), member);
    }

    boolean isEmpty() {
        return members.isEmpty();
    }

    boolean has(Scope scope) {
        return !of(scope).isEmpty();
    }

    void remove(Scope scope, String key) {
        var ofScope = members.get(scope);
        if (ofScope != null) {
            ofScope.remove(key);
        }
    }

    void removeAll(Scope scope) {
        if (!members.isEmpty()) {
            members.remove(scope);
        }
    }

    /**
     * The insertions; to be called once.
     *
     * @param isThere which objects the message has and keeps
     */
    List<Edit> edits(Predicate<Part> isThere, Removals removals) {
        List<Edit> edits = new ArrayList<>();
        for (Scope scope : INSIDE_OUT) {
            Part container = container(message, scope);
            if (of(scope).isEmpty()) {
                continue;
            }
            if (isThere.test(container)) {
                insert(edits, message.start(container), message.end(container) - 1, of(scope), removals);
            } else {
                put(container.scope(), Fragment.of(container.scope(), container.key(), Fragment.object(of(scope))));
            }
        }
        byte[] json = message.array();
        insert(edits, Surroundings.next(json, 0), Surroundings.previous(json, json.length), of(Scope.TOP), removals);
        return edits;
    }

    private void insert(List<Edit> edits, int open, int close, Collection<Fragment> fragments, Removals removals) {
        boolean isFirst = removals.isEmptied(open) || Surroundings.next(message.array(), open + 1) == close;
        for (Fragment fragment : fragments) {
            edits.add(Edit.inserting(close, fragment, isFirst));
            isFirst = false;
        }
    }

    private Collection<Fragment> of(Scope scope) {
        return members.getOrDefault(scope, Map.of()).values();
    }
}
