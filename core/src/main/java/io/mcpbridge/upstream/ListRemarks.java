package io.mcpbridge.upstream;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** What an operator should know of the lists of one server, such as that one was cut. Any thread. */
final class ListRemarks {
    private final Map<String, String> byList = new ConcurrentSkipListMap<>();

    /** The remark of the last listing of this kind, or that there is none. */
    void put(String kind, Optional<String> remark) {
        remark.ifPresentOrElse(text -> byList.put(kind, text), () -> byList.remove(kind));
    }

    List<String> all() {
        return List.copyOf(byList.values());
    }
}
