package io.mcpbridge.message;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects changes to one message and makes the changed copy.
 *
 * <p>What is not named by a change leaves byte for byte. Of two changes to one part the later one
 * counts, and a change to a whole object drops those inside it that came before. Made by
 * {@link Message#splice}; for one thread.
 */
public final class Splice {

    private static final Set<Part> REQUIRED =
            EnumSet.of(Part.ID, Part.METHOD, Part.RESULT, Part.ERROR, Part.ERROR_CODE);

    private final Message message;
    private final Edits edits = new Edits();
    private final Additions additions;

    Splice(Message message) {
        this.message = message;
        this.additions = new Additions(message);
    }

    /**
     * Puts another value in place of a part's.
     *
     * @param rawToken a JSON value
     * @throws IllegalStateException if the message does not have the part
     * @throws IllegalArgumentException if the value is not JSON
     */
    public Splice replace(Part part, String rawToken) {
        if (!isKept(part)) {
            throw new IllegalStateException("%s has no %s to replace; put one instead".formatted(message, part));
        }
        var fragment = Fragment.of(scope(part), part.key(), rawToken);
        change(message.slot(part), Edit.replacing(message.start(part), message.end(part), fragment));
        return this;
    }

    /**
     * Puts another id in place of the message's.
     *
     * @throws IllegalStateException if the message does not have an id
     */
    public Splice id(MessageId id) {
        return replace(Part.ID, id.raw());
    }

    /**
     * Leaves out a part with its key and comma; a part that is absent already is no matter. A {@code _meta} that has no
     * member left then is left out too.
     *
     * @throws IllegalArgumentException if there is no such message without the part
     */
    public Splice remove(Part part) {
        if (REQUIRED.contains(part)) {
            throw new IllegalArgumentException("%s cannot be removed; the message needs it".formatted(part));
        }
        additions.remove(scope(part), part.key());
        if (isKept(part)) {
            change(message.slot(part), Edit.removing(message.start(part), message.end(part)));
        } else {
            dropInside(message.slot(part));
        }
        return this;
    }

    /**
     * Adds or replaces a member of {@code _meta}, which is made where it is missing.
     *
     * @throws IllegalStateException if the message is an error, which has no {@code _meta}
     * @throws IllegalArgumentException if the value is not JSON
     */
    public Splice putMeta(String key, String rawValue) {
        return put(Scope.META, key, rawValue);
    }

    /**
     * Adds or replaces a member of {@code params}, which is made where it is missing.
     *
     * @throws IllegalStateException if the message is a response, or its params are an array
     * @throws IllegalArgumentException if the value is not JSON
     */
    public Splice putParam(String key, String rawValue) {
        return put(Scope.PARAMS, key, rawValue);
    }

    /**
     * Adds or replaces a member of {@code result}.
     *
     * @throws IllegalStateException if the message has no result that is an object
     * @throws IllegalArgumentException if the value is not JSON
     */
    public Splice putResult(String key, String rawValue) {
        return put(Scope.RESULT, key, rawValue);
    }

    /**
     * Makes the changed message, in one copy.
     *
     * @throws IllegalArgumentException if the changes do not leave a message
     */
    public Message done() {
        var removals = removals();
        if (removeEmptied(removals)) {
            removals = removals();
        }
        List<Edit> all = edits.replacements();
        all.addAll(removals.runs());
        if (!additions.isEmpty()) {
            all.addAll(additions.edits(this::isKept, removals));
        }
        return new Patch(message, all).apply();
    }

    private Removals removals() {
        return Removals.of(message.array(), edits.removals());
    }

    /** Whether {@code _meta} was left without a member and is left out now. */
    private boolean removeEmptied(Removals removals) {
        Part meta = Additions.container(message, Scope.META);
        if (!isKept(meta) || additions.has(Scope.META) || !removals.isEmptied(message.start(meta))) {
            return false;
        }
        remove(meta);
        return true;
    }

    private Splice put(Scope scope, String key, String rawValue) {
        var fragment = Fragment.of(scope, key, rawValue);
        requireHome(scope);
        Part container = Additions.container(message, scope);
        var range = isKept(container) ? MemberFinder.find(message, container, scope, key) : null;
        if (range == null) {
            dropInside(Slots.of(scope, key));
            additions.put(scope, fragment);
        } else {
            change(Slots.of(scope, key), Edit.replacing(range.start(), range.end(), fragment));
        }
        return this;
    }

    private void change(int slot, Edit edit) {
        requireUnreplaced(edits.before(edit.start()), edit.start());
        dropInside(slot);
        edits.put(edit);
    }

    /** Drops what was to be added inside an object that is changed as a whole. */
    private void dropInside(int slot) {
        var inside = Slots.scopeInside(slot);
        if (inside != null) {
            additions.removeAll(inside);
            additions.removeAll(Scope.META);
        }
    }

    /** Refuses a scope that lies in something other than an object of this message or one that can be made. */
    private void requireHome(Scope scope) {
        Part container = Additions.container(message, scope);
        if (isKept(container)) {
            requireUnreplaced(edits.atOrBefore(message.start(container)), message.start(container));
            if (message.array()[message.start(container)] != '{') {
                throw new IllegalStateException("The %s of %s is not an object".formatted(container.key(), message));
            }
        } else if (scope == Scope.META) {
            requireHome(container.scope());
        } else if (scope == Scope.RESULT || message instanceof Response) {
            throw new IllegalStateException("%s can have no %s".formatted(message, container.key()));
        }
    }

    private void requireUnreplaced(@Nullable Edit before, int position) {
        if (before != null && before.covers(position)) {
            throw new IllegalStateException(
                    "An object of %s was replaced as a whole; change the message that done() returns"
                            .formatted(message));
        }
    }

    /** Whether the message has the part and it was not removed. */
    private boolean isKept(Part part) {
        if (!message.has(part)) {
            return false;
        }
        var before = edits.atOrBefore(message.start(part));
        return before == null || !before.isRemoval() || !before.covers(message.start(part));
    }

    private Scope scope(Part part) {
        return message.slot(part) == Slots.PARAMS_PROGRESS_TOKEN ? Scope.PARAMS : part.scope();
    }
}
