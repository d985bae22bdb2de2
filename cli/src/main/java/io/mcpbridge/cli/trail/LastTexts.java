package io.mcpbridge.cli.trail;

import java.util.ArrayDeque;
import java.util.Deque;

/** The last of many texts. */
final class LastTexts {
    private final int most;
    private final Deque<Last> kept = new ArrayDeque<>();

    private record Last(String text, boolean isWhole) {}

    LastTexts(int most) {
        this.most = most;
    }

    /** Keeps a text, and forgets the oldest where there are too many. */
    void add(String text, boolean isWhole) {
        kept.add(new Last(text, isWhole));
        if (kept.size() > most) {
            kept.remove();
        }
    }

    /** Whether there are as many as wanted, and all of them whole. */
    boolean isEnough() {
        return kept.size() == most && kept.stream().allMatch(Last::isWhole);
    }

    void showAt(TrailScreen screen) {
        kept.forEach(last -> screen.show(last.text()));
    }
}
