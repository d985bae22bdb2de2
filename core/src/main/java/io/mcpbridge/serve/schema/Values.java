package io.mcpbridge.serve.schema;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the schemas of records are made of, and what both they and their reading need to know of types. */
final class Values {

    private Values() {}

    /** An object of these members, in this order: what clients see must not differ from one start to the next. */
    static Map<String, Object> object(String name, Object value, Object... more) {
        var members = new LinkedHashMap<String, Object>();
        members.put(name, value);
        for (int i = 0; i < more.length; i += 2) {
            members.put((String) more[i], more[i + 1]);
        }
        return members;
    }

    static boolean isCollection(Class<?> type) {
        return type == List.class || type == Set.class || type == Collection.class;
    }
}
