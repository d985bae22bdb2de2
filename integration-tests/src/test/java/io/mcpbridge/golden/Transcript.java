package io.mcpbridge.golden;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** What was said in one conversation, in sections. Any thread may write. */
final class Transcript {
    static final String BRIDGE = "bridge";
    private static final String INDENT = " ".repeat(8);

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, List<Entry>> sections = new TreeMap<>();

    /** Begins an entry at the end of a section; sections stand in the order of their titles. */
    Entry entry(String section) {
        lock.lock();
        try {
            var entry = new Entry(lock);
            sections.computeIfAbsent(section, none -> new ArrayList<>()).add(entry);
            return entry;
        } finally {
            lock.unlock();
        }
    }

    /** One message of a stream: {@code speaker} sent {@code text}. */
    void said(String section, String speaker, String text) {
        entry(section).said(speaker, text);
    }

    @Override
    public String toString() {
        lock.lock();
        try {
            var all = new StringBuilder();
            sections.forEach((title, entries) -> {
                all.append("\n== ").append(title).append('\n');
                entries.forEach(
                        entry -> entry.lines.forEach(line -> all.append(line).append('\n')));
            });
            return all.toString();
        } finally {
            lock.unlock();
        }
    }

    /** What belongs together though other things happen meanwhile: a message, or a request and its response. */
    static final class Entry {
        private final ReentrantLock lock;
        private final List<String> lines = new ArrayList<>();

        private Entry(ReentrantLock lock) {
            this.lock = lock;
        }

        void said(String speaker, String text) {
            lock.lock();
            try {
                var first = "%-8s".formatted(speaker);
                for (var line : text.stripTrailing().split("\r?\n", -1)) {
                    lines.add((first + line).stripTrailing());
                    first = INDENT;
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
