package io.mcpbridge.architecture;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Something of each kind for {@link PublicApiTest} to describe; what is called hidden is not part of it. */
public abstract sealed class ApiSample<T extends CharSequence> implements AutoCloseable {
    public static final int LIMIT = 7;
    private static final String HIDDEN = "hidden";

    protected ApiSample(List<? super T> parts) {}

    ApiSample(String hidden) {}

    public abstract Map<String, T> parts() throws IOException;

    protected <E extends Enum<E>> E kind(Class<E> kinds, int... numbers) {
        return kinds.getEnumConstants()[numbers.length];
    }

    String hidden() {
        return HIDDEN;
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
        return "one that says nothing new";
    }

    /** Its values are listed. */
    public enum Kind {
        ONE
    }

    /** Its components are listed. */
    public record Value(String name) {}

    /** Its default methods are listed. */
    public interface Doing {
        void must();

        default void may() {}
    }

    /** Allows the class to be sealed. */
    static final class Hidden extends ApiSample<String> {

        Hidden() {
            super(HIDDEN);
        }

        @Override
        public Map<String, String> parts() {
            return Map.of();
        }
    }
}
