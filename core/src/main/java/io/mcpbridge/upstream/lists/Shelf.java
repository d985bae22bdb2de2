package io.mcpbridge.upstream.lists;

import java.util.List;
import java.util.Optional;

/** Where one list of a server is kept between its listings. Any thread; one at a time updates. */
interface Shelf<T> {

    /** What is kept; empty before the first update. */
    List<T> items();

    Optional<T> find(String key);

    /** Replaces what is kept; true if this is not the first time and something differs. */
    boolean update(List<T> listed);

    /** Forgets everything. */
    void clear();
}
