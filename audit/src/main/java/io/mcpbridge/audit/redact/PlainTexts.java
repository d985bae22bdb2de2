package io.mcpbridge.audit.redact;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Short texts that are shown as they are, so that names which come with each call are looked at once. None that holds a
 * secret is kept, and none outlives a change of the secrets that are known. One thread at a time.
 */
final class PlainTexts {
    private static final int MOST = 1_024;
    private static final int LONGEST = 256;

    private final Supplier<? extends Collection<String>> known;
    private final Set<String> texts = new HashSet<>();
    private List<String> knownThen = List.of();

    PlainTexts(Supplier<? extends Collection<String>> known) {
        this.known = known;
    }

    /** Whether it was found to hold nothing that must not be shown. */
    boolean has(String text) {
        if (text.length() > LONGEST) {
            return false;
        }
        forgetWhereMoreIsKnown();
        return text.isEmpty() || texts.contains(text);
    }

    /** Remembers how a text is shown, where that is as it is. */
    void note(String text, String shown) {
        if (text.length() <= LONGEST && text.equals(shown)) {
            if (texts.size() == MOST) {
                texts.clear();
            }
            texts.add(text);
        }
    }

    private void forgetWhereMoreIsKnown() {
        // No copy is made of a list that cannot change.
        var now = List.copyOf(known.get());
        if (!knownThen.equals(now)) {
            texts.clear();
            knownThen = now;
        }
    }
}
