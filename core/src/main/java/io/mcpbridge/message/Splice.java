package io.mcpbridge.message;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Edit.Fragment;
import io.mcpbridge.message.EnvelopeScanner.MemberFinder;
import io.mcpbridge.message.FieldNumbers.Scope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds a changed copy of a message.
 *
 * <p>Everything that no change names is copied byte for byte. If two changes affect the same field, the later one wins;
 * replacing a whole object discards earlier changes inside it. Created by {@link Message#splice}; used by one thread.
 */
public final class Splice {

    /** The objects that can get new members, innermost first. */
    private static final List<Scope> INSIDE_OUT = List.of(Scope.META, Scope.PARAMS, Scope.RESULT);

    private static final Set<MessageField> REQUIRED = EnumSet.of(
            MessageField.ID, MessageField.METHOD, MessageField.RESULT, MessageField.ERROR, MessageField.ERROR_CODE);

    private final Message message;

    /** Ordered by start; none starts within another. There are few, so a linear search is enough. */
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
        if (!isKept(part)) {
            throw new IllegalStateException("%s has no %s to replace; put one instead".formatted(message, part));
        }
        var fragment = Fragment.of(scope(part), part.key(), rawToken);
        change(message.slot(part), Edit.replacing(message.start(part), message.end(part), fragment));
        return this;
    }

    /**
     * Replaces the id of the message.
     *
     * @throws IllegalStateException if the message does not have an id
     */
    public Splice id(MessageId id) {
        return replace(MessageField.ID, id.raw());
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
        if (isKept(part)) {
            change(message.slot(part), Edit.removing(message.start(part), message.end(part)));
        } else {
            dropInside(message.slot(part));
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
        return Removals.of(message.array(), removed);
    }

    /** Removes {@code _meta} if the removals have emptied it; false if not. */
    private boolean removeEmptied(Removals removals) {
        MessageField meta = container(Scope.META);
        if (!isKept(meta) || !added(Scope.META).isEmpty() || !removals.isEmptied(message.start(meta))) {
            return false;
        }
        remove(meta);
        return true;
    }

    private Splice put(Scope scope, String key, String rawValue) {
        var fragment = Fragment.of(scope, key, rawValue);
        requireContainer(scope);
        MessageField container = container(scope);
        var range =
                isKept(container) ? MemberFinder.find(message.array(), message.spans(), container, scope, key) : null;
        if (range == null) {
            dropInside(FieldNumbers.of(scope, key));
            add(scope, fragment);
        } else {
            change(FieldNumbers.of(scope, key), Edit.replacing(range.start(), range.end(), fragment));
        }
        return this;
    }

    private void change(int slot, Edit edit) {
        requireUnreplaced(lastBefore(edit.start()), edit.start());
        dropInside(slot);
        putInPlace(edit);
    }

    /** Adds a change in place of those that start within it. */
    private void putInPlace(Edit edit) {
        int at = 0;
        while (at < edits.size() && edits.get(at).start() < edit.start()) {
            at++;
        }
        while (at < edits.size() && edits.get(at).start() < edit.end()) {
            edits.remove(at);
        }
        edits.add(at, edit);
    }

    /** The last change that starts before a position. */
    private @Nullable Edit lastBefore(int position) {
        Edit last = null;
        for (Edit edit : edits) {
            if (edit.start() >= position) {
                break;
            }
            last = edit;
        }
        return last;
    }

    /** Discards the additions inside an object that is replaced or removed. */
    private void dropInside(int slot) {
        var inside = FieldNumbers.scopeInside(slot);
        if (inside != null) {
            dropAdded(inside);
            dropAdded(Scope.META);
        }
    }

    /** Requires that the container of a scope is an object of this message, or can be created in it. */
    private void requireContainer(Scope scope) {
        MessageField container = container(scope);
        if (isKept(container)) {
            requireUnreplaced(lastBefore(message.start(container) + 1), message.start(container));
            if (message.array()[message.start(container)] != '{') {
                throw new IllegalStateException("The %s of %s is not an object".formatted(container.key(), message));
            }
        } else if (scope == Scope.META) {
            requireContainer(container.scope());
        } else if (scope == Scope.RESULT || isResponse()) {
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

    /** Whether the message has the field and no change removes it. */
    private boolean isKept(MessageField part) {
        if (!message.has(part)) {
            return false;
        }
        var before = lastBefore(message.start(part) + 1);
        return before == null || !before.isRemoval() || !before.covers(message.start(part));
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

    private void dropAdded(Scope scope) {
        if (!additions.isEmpty()) {
            additions.remove(scope);
        }
    }

    /** Turns the new members into insertions, and creates missing objects. */
    private void addInsertions(List<Edit> all, Removals removals) {
        for (Scope scope : INSIDE_OUT) {
            MessageField container = container(scope);
            if (added(scope).isEmpty()) {
                continue;
            }
            if (isKept(container)) {
                insert(all, message.start(container), message.end(container) - 1, added(scope), removals);
            } else {
                add(container.scope(), Fragment.of(container.scope(), container.key(), Fragment.object(added(scope))));
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
            edits.sort(Comparator.comparingInt(Edit::start));
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

    /**
     * Turns removals of values into removals of whole members with the right commas.
     *
     * <p>Adjacent members are removed as one run, so that the neighbours of a run always remain.
     */
    private static final class Removals {

        private static final Removals NONE = new Removals(new byte[0]);

        private final byte[] json;
        private final List<Edit> runs = new ArrayList<>();
        private final Set<Integer> emptied = new HashSet<>();

        private Removals(byte[] json) {
            this.json = json;
        }

        /** Finds the runs of these values, which are in order. */
        static Removals of(byte[] json, List<Edit> values) {
            if (values.isEmpty()) {
                return NONE;
            }
            var removals = new Removals(json);
            removals.addRuns(values);
            return removals;
        }

        private void addRuns(List<Edit> values) {
            int first = 0;
            for (int i = 1; i <= values.size(); i++) {
                if (i == values.size() || !areNeighbours(values.get(i - 1), values.get(i))) {
                    addRun(
                            keyOf(json, values.get(first).start()),
                            values.get(i - 1).end());
                    first = i;
                }
            }
        }

        /** The ranges to remove. */
        List<Edit> runs() {
            return runs;
        }

        /** Whether the object that starts here has no member left. */
        boolean isEmptied(int bracket) {
            return emptied.contains(bracket);
        }

        private boolean areNeighbours(Edit left, Edit right) {
            int comma = next(json, left.end());
            return json[comma] == ',' && next(json, comma + 1) == keyOf(json, right.start());
        }

        private void addRun(int key, int end) {
            int before = previous(json, key);
            int behind = next(json, end);
            if (json[behind] == ',') {
                runs.add(Edit.removing(key, next(json, behind + 1)));
                return;
            }
            if (json[before] == ',') {
                runs.add(Edit.removing(before, end));
                return;
            }
            runs.add(Edit.removing(key, end));
            emptied.add(before);
        }

        /**
         * The opening quote of the key of a {@link MessageField}. No such key contains a quote, not even an escaped
         * one.
         */
        static int keyOf(byte[] json, int value) {
            int colon = previous(json, value);
            int quote = previous(json, colon) - 1;
            while (json[quote] != '"') {
                quote--;
            }
            return quote;
        }

        /** The position of the last byte before {@code from} that is not white space. */
        static int previous(byte[] json, int from) {
            int at = from - 1;
            while (isSpace(json[at])) {
                at--;
            }
            return at;
        }

        /** The position of the first byte from {@code from} on that is not white space. */
        static int next(byte[] json, int from) {
            int at = from;
            while (isSpace(json[at])) {
                at++;
            }
            return at;
        }

        private static boolean isSpace(byte b) {
            return b == ' ' || b == '\t';
        }
    }
}
