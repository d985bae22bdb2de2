package io.mcpbridge.upstream.lists;

import io.mcpbridge.failure.Failure;
import java.util.function.Consumer;

/** Leaves out of a list what nobody can use, now or later, on any thread. Never waits. */
interface Sieve<T> {

    /** Tells {@code kept} what is left and why the rest is not, or {@code failed} why that cannot be told. */
    void sift(Sifted<T> listed, Consumer<Sifted<T>> kept, Consumer<Failure> failed);
}
