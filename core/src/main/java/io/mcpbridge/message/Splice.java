package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Edit.Fragment;
import io.mcpbridge.message.EnvelopeScanner.MemberFinder;
import io.mcpbridge.message.FieldNumbers.Scope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Builds a changed copy of a message.
 *
 * <p>Everything that no change names is copied byte for byte. If two changes affect the same field, the later one wins. A
 * field is changed either as a whole or inside. Created by {@link Message#splice}; used by one thread.
 */
public final class Splice {

    /** The objects that can get new members, innermost first. */
    private static final List<Scope> INSIDE_OUT = List.of(Scope.META, Scope.PARAMS, Scope.RESULT);

    private static final Set<MessageField> REQUIRED = EnumSet.of(
            MessageField.ID, MessageField.METHOD, MessageField.RESULT, MessageField.ERROR, MessageField.ERROR_CODE);

    private static final Comparator<Edit> BY_START = Comparator.comparingInt(Edit::start);

    private final Message message;

    /** At most one for each start. There are few, so a linear search is enough. */
    private final List<Edit> edits = new ArrayList<>(4);

    /** The new members by the object that contains them, which may not exist yet. */
    private Map<Scope, Map<String, Fragment>> additions = Map.of();

    Splice(Message message) {
        this.message = message;
    }

    /**
     * Replaces the value of a field.
     *
     * @param rawToken a JSON value
     * @throws IllegalStateException if the message does not have the field
     * @throws IllegalArgumentException if the value is not JSON
     */
    public Splice replace(MessageField part, String rawToken) {
        requirePresent(part);
        var fragment = Fragment.of(scope(part), part.key(), rawToken);
        change(Edit.replacing(message.start(part), message.end(part), fragment));
        return this;
    }

    /**
     * Replaces the id of the message.
     *
     * @throws IllegalStateException if the message does not have an id
     */
    public Splice id(MessageId id) {
        return replaceScalar(MessageField.ID, id.array());
    }

    /**
     * Replaces the value of a field by a text.
     *
     * @throws IllegalStateException if the message does not have the field
     */
    public Splice replaceText(MessageField part, String text) {
        return replaceScalar(part, JsonStrings.quote(text).getBytes(UTF_8));
    }

    /** The value is known to be a JSON string or number, so it is not scanned. */
    private Splice replaceScalar(MessageField part, byte[] value) {
        requirePresent(part);
        var fragment = Fragment.ofScalar(message.slot(part), value);
        change(Edit.replacing(message.start(part), message.end(part), fragment));
        return this;
    }

    private void requirePresent(MessageField part) {
        if (!message.has(part)) {
            throw new IllegalStateException("%s has no %s to replace; put one instead".formatted(message, part));
        }
    }

    /**
     * Removes a field with its key and comma; does nothing if it is absent. A {@code _meta} that becomes empty is
     * removed too.
     *
     * @throws IllegalArgumentException if a message without the field is not valid
     */
    public Splice remove(MessageField part) {
        if (REQUIRED.contains(part)) {
            throw new IllegalArgumentException("%s cannot be removed; the message needs it".formatted(part));
        }
        var added = additions.get(scope(part));
        if (added != null) {
            added.remove(part.key());
        }
        if (message.has(part)) {
            change(Edit.removing(message.start(part), message.end(part)));
        }
        return this;
    }

    /**
     * Adds or replaces a member of {@code _meta}, which is created if it is missing.
     *
     * @throws IllegalStateException if the message is an error, which has no {@code _meta}
     * @throws IllegalArgumentException if the value is not JSON
     */
    public Splice putMeta(String key, String rawValue) {
        return put(Scope.META, key, rawValue);
    }

    /**
     * Adds or replaces a member of {@code params}, which is created if it is missing.
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
     * Returns the changed message, created in one copy.
     *
     * @throws IllegalStateException if an object is changed as a whole and inside; call this method between both
     * @throws IllegalArgumentException if the changed text is not a valid message
     */
    public Message done() {
        var removals = removals();
        if (removeEmptied(removals)) {
            removals = removals();
        }
        List<Edit> all = new ArrayList<>(edits.size() + 2);
        for (Edit edit : edits) {
            if (!edit.isRemoval()) {
                all.add(edit);
            }
        }
        all.addAll(removals.runs());
        if (!additions.isEmpty()) {
            addInsertions(all, removals);
        }
        return new Patch(message, all).apply();
    }

    private Removals removals() {
        List<Edit> removed = new ArrayList<>();
        for (Edit edit : edits) {
            if (edit.isRemoval()) {
                removed.add(edit);
            }
        }
        removed.sort(BY_START);
        return Removals.of(message.array(), removed);
    }

    /** Removes {@code _meta} if the removals have emptied it; false if not. */
    private boolean removeEmptied(Removals removals) {
        MessageField meta = container(Scope.META);
        if (!added(Scope.META).isEmpty() || !removals.isEmptied(message.start(meta))) {
            return false;
        }
        edits.removeIf(edit -> message.start(meta) < edit.start() && edit.start() < message.end(meta));
        remove(meta);
        return true;
    }

    private Splice put(Scope scope, String key, String rawValue) {
        var fragment = Fragment.of(scope, key, rawValue);
        requireContainer(scope);
        MessageField container = container(scope);
        var range = message.has(container)
                ? MemberFinder.find(message.array(), message.spans(), container, scope, key)
                : null;
        if (range == null) {
            add(scope, fragment);
        } else {
            change(Edit.replacing(range.start(), range.end(), fragment));
        }
        return this;
    }

    private void change(Edit edit) {
        for (int i = 0; i < edits.size(); i++) {
            if (edits.get(i).start() == edit.start()) {
                edits.set(i, edit);
                return;
            }
        }
        edits.add(edit);
    }

    /** Requires that the container of a scope is an object of this message, or can be created in it. */
    private void requireContainer(Scope scope) {
        MessageField container = container(scope);
        if (message.has(container)) {
            if (message.array()[message.start(container)] != '{') {
                throw new IllegalStateException("The %s of %s is not an object".formatted(container.key(), message));
            }
        } else if (scope == Scope.META) {
            requireContainer(container.scope());
        } else if (scope == Scope.RESULT || isResponse()) {
            throw new IllegalStateException("%s can have no %s".formatted(message, container.key()));
        }
    }

    private boolean isResponse() {
        return !message.has(MessageField.METHOD);
    }

    /** The field that contains the members of a scope. */
    private MessageField container(Scope scope) {
        return switch (scope) {
            case PARAMS -> MessageField.PARAMS;
            case RESULT -> MessageField.RESULT;
            case META -> isResponse() ? MessageField.RESULT_META : MessageField.META;
            case ERROR -> MessageField.ERROR;
            case TOP -> throw new IllegalArgumentException("The message is not a part of itself");
        };
    }

    private Collection<Fragment> added(Scope scope) {
        return additions.getOrDefault(scope, Map.of()).values();
    }

    private void add(Scope scope, Fragment member) {
        if (additions.isEmpty()) {
            additions = new EnumMap<>(Scope.class);
        }
        additions.computeIfAbsent(scope, s -> new LinkedHashMap<>()).put(member.key(), member);
    }

    /** Turns the new members into insertions, and creates missing objects. */
    private void addInsertions(List<Edit> all, Removals removals) {
        for (Scope scope : INSIDE_OUT) {
            MessageField container = container(scope);
            if (added(scope).isEmpty()) {
                continue;
            }
            if (message.has(container)) {
                insert(all, message.start(container), message.end(container) - 1, added(scope), removals);
            } else {
                add(container.scope(), Fragment.of(container.scope(), container.key(), added(scope)));
            }
        }
        byte[] json = message.array();
        insert(all, Removals.next(json, 0), Removals.previous(json, json.length), added(Scope.TOP), removals);
    }

    private void insert(List<Edit> all, int open, int close, Collection<Fragment> members, Removals removals) {
        boolean isFirst = removals.isEmptied(open) || Removals.next(message.array(), open + 1) == close;
        for (Fragment member : members) {
            all.add(Edit.inserting(close, member, isFirst));
            isFirst = false;
        }
    }

    private Scope scope(MessageField part) {
        return message.slot(part) == FieldNumbers.PARAMS_PROGRESS_TOKEN ? Scope.PARAMS : part.scope();
    }

    /** Applies edits that do not overlap. Copies the message once, and shifts the spans instead of scanning again. */
    private static final class Patch {

        private final Message source;
        private final List<Edit> edits;
        private final Spans spans = new Spans();

        Patch(Message source, List<Edit> edits) {
            this.source = source;
            this.edits = edits;
            edits.sort(BY_START);
            for (int i = 1; i < edits.size(); i++) {
                if (edits.get(i).start() < edits.get(i - 1).end()) {
                    throw new IllegalStateException(
                            "An object of %s was changed as a whole and inside; change the message that done() returns"
                                    .formatted(source));
                }
            }
        }

        /** Returns the changed message. */
        Message apply() {
            moveSpans();
            byte[] json = copy();
            try {
                return Message.of(json, spans);
            } catch (ProtocolException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        }

        private void moveSpans() {
            var old = source.spans();
            for (int slot = old.next(0); slot != Spans.NONE; slot = old.next(slot + 1)) {
                int start = old.start(slot);
                int end = old.end(slot);
                if (!isCovered(start, end)) {
                    spans.set(slot, movedStart(start), movedEnd(end));
                }
            }
        }

        private byte[] copy() {
            byte[] from = source.array();
            byte[] to = new byte[movedEnd(from.length)];
            int read = 0;
            int written = 0;
            for (Edit edit : edits) {
                int kept = edit.start() - read;
                System.arraycopy(from, read, to, written, kept);
                edit.note(spans, written + kept);
                written = edit.write(to, written + kept);
                read = edit.end();
            }
            System.arraycopy(from, read, to, written, from.length - read);
            return to;
        }

        private boolean isCovered(int start, int end) {
            for (Edit edit : edits) {
                if (edit.start() <= start && end <= edit.end()) {
                    return true;
                }
            }
            return false;
        }

        private int movedStart(int start) {
            int moved = start;
            for (Edit edit : edits) {
                moved += edit.end() <= start ? edit.growth() : 0;
            }
            return moved;
        }

        /** An insertion exactly at the end does not shift it; a change before it does. */
        private int movedEnd(int end) {
            int moved = end;
            for (Edit edit : edits) {
                moved += edit.start() < end ? edit.growth() : 0;
            }
            return moved;
        }
    }
}
