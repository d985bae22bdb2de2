package io.mcpbridge.audit.record;

import io.mcpbridge.audit.redact.HiddenValues;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Optional;

/**
 * What was hidden in the arguments of calls that are under way, since their answers may repeat it: of each call whose
 * arguments were seen as a whole, so that no other one is known. Of more calls than are kept the eldest are forgotten. One
 * thread at a time.
 */
final class HiddenArguments {
    private static final int MOST_CALLS = 4_096;
    private static final int MOST_CHARACTERS = 4 << 20;
    private static final HiddenValues NOTHING = new HiddenValues();

    private final LinkedHashMap<String, HiddenValues> byCall = new LinkedHashMap<>();
    private final LinkedHashSet<String> withNothing = new LinkedHashSet<>();
    private int characters;

    void entered(String correlationId, HiddenValues values) {
        var unused = ended(correlationId);
        if (!values.isComplete()) {
            return;
        }
        if (values.isEmpty()) {
            withNothing.add(correlationId);
        } else {
            byCall.put(correlationId, values);
            characters += values.characters();
        }
        forgetEldest();
    }

    private void forgetEldest() {
        if (withNothing.size() > MOST_CALLS) {
            withNothing.remove(withNothing.iterator().next());
        }
        while (byCall.size() > MOST_CALLS || characters > MOST_CHARACTERS) {
            var unused = forget(byCall.keySet().iterator().next());
        }
    }

    /** All that was hidden in the arguments of a call that has ended, told once; empty where that is not known. */
    Optional<HiddenValues> ended(String correlationId) {
        return withNothing.remove(correlationId) ? Optional.of(NOTHING) : forget(correlationId);
    }

    private Optional<HiddenValues> forget(String correlationId) {
        var values = Optional.ofNullable(byCall.remove(correlationId));
        values.ifPresent(each -> characters -= each.characters());
        return values;
    }
}
