package io.mcpbridge.upstream;

import io.mcpbridge.spi.HeldOff;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/** What an operator should know of the lists of one server, such as that one was cut. Any thread. */
final class ListRemarks {
    private final Map<String, String> byList = new ConcurrentSkipListMap<>();
    private final Map<String, HeldOff> unlisted = new ConcurrentSkipListMap<>();
    private final Map<String, HeldOff> restless = new ConcurrentSkipListMap<>();

    /** The remark of the last listing of this kind, or that there is none. */
    void put(String kind, Optional<String> remark) {
        remark.ifPresentOrElse(text -> byList.put(kind, text), () -> byList.remove(kind));
    }

    /** The server calls the list of this kind changed without end, or does so no longer. */
    void restless(String kind, Optional<HeldOff> why) {
        why.ifPresentOrElse(told -> restless.put(kind, told), () -> restless.remove(kind));
    }

    /** The list of this kind cannot be had, or is there again. */
    void unlisted(String kind, Optional<HeldOff> why) {
        why.ifPresentOrElse(
                told -> unlisted.merge(kind, told, (old, next) -> new HeldOff(next.why(), old.since())),
                () -> unlisted.remove(kind));
    }

    /** Why and since when the server is not as it should be. */
    Optional<HeldOff> trouble() {
        return troubles().findFirst();
    }

    private Stream<HeldOff> troubles() {
        return Stream.concat(unlisted.values().stream(), restless.values().stream());
    }

    List<String> all() {
        return Stream.concat(byList.values().stream(), troubles().map(HeldOff::why))
                .toList();
    }
}
