package io.mcpbridge.translate;

import io.mcpbridge.call.Caller;
import io.mcpbridge.internal.json.Json;
import java.util.LinkedHashMap;

/** What callers are to servers of the other era. */
final class Legacy {

    private Legacy() {}

    /** A modern caller as a legacy server sees one: it declares everything, once, for all who share the session. */
    static Caller caller(Caller modern) {
        return modern.but().capabilities(Needs.EVERYTHING).build();
    }

    /** A legacy caller without the tasks of 2025-11-25, which a modern server would take for its own extension. */
    static Caller withoutTasks(Caller legacy) {
        if (!legacy.declared().contains("tasks")) {
            return legacy;
        }
        var declared = new LinkedHashMap<>(Json.rawMembers(legacy.declared()));
        declared.remove("tasks");
        return legacy.but().declared(Question.object(declared)).build();
    }
}
