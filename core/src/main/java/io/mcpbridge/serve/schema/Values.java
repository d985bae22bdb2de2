package io.mcpbridge.serve.schema;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/** What both the schema of a record and its reading need to know of types. */
final class Values {

    private Values() {}

    static boolean isCollection(Class<?> type) {
        return type == List.class || type == Set.class || type == Collection.class;
    }
}
