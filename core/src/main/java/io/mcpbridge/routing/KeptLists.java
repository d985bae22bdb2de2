package io.mcpbridge.routing;

import io.mcpbridge.upstream.lists.ListKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lists that were merged last, since clients ask for page after page of what has not changed. Any thread; two may
 * merge the same at a time.
 */
final class KeptLists {
    /** Users whose lists differ each have one; with more of them the oldest is merged again. */
    private static final int MOST = 8;

    /** Of two that are kept at a time one may get lost, and is merged again. */
    private volatile List<Kept<?>> all = List.of();

    /**
     * One list, and what it was merged from.
     *
     * @param answers by server, of which each is the very list that was told
     */
    private record Kept<T>(ListKind<T> kind, Routes routes, Map<String, List<T>> answers, MergedList<T> list) {

        /** The list, where it was merged from the same. */
        <U> Optional<MergedList<U>> of(ListKind<U> otherKind, Routes otherRoutes, Map<String, List<U>> others) {
            if (!kind.equals(otherKind) || routes != otherRoutes || answers.size() != others.size()) {
                return Optional.empty();
            }
            for (var other : others.entrySet()) {
                if (!isSame(answers.get(other.getKey()), other.getValue())) {
                    return Optional.empty();
                }
            }
            // Lists of one kind have elements of one type.
            @SuppressWarnings("unchecked")
            var same = (MergedList<U>) list;
            return Optional.of(same);
        }

        /** Comparing what they hold would take as long as merging it. */
        @SuppressWarnings("ReferenceEquality")
        private static boolean isSame(@Nullable List<?> one, List<?> other) {
            return one == other;
        }
    }

    /** What {@link MergedList#of} makes of the same. */
    <T> MergedList<T> of(ListKind<T> kind, Routes routes, Map<String, List<T>> answers) {
        for (var kept : all) {
            var same = kept.of(kind, routes, answers);
            if (same.isPresent()) {
                return same.get();
            }
        }
        var merged = MergedList.of(kind, routes, answers);
        keep(new Kept<>(kind, routes, Map.copyOf(answers), merged));
        return merged;
    }

    private void keep(Kept<?> fresh) {
        var after = new ArrayList<Kept<?>>();
        after.add(fresh);
        all.stream()
                .filter(kept -> kept.routes() == fresh.routes())
                .limit(MOST - 1)
                .forEach(after::add);
        all = List.copyOf(after);
    }
}
