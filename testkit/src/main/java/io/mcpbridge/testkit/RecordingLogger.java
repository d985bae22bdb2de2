package io.mcpbridge.testkit;

import java.text.MessageFormat;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A logger that records every line, at every level. Any thread may use it. */
public final class RecordingLogger implements System.Logger {
    private final List<Entry> entries = new CopyOnWriteArrayList<>();

    /** One line of the log. */
    public record Entry(Level level, String text) {}

    @Override
    public String getName() {
        return "recording";
    }

    @Override
    public boolean isLoggable(Level level) {
        return true;
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String text, @Nullable Throwable thrown) {
        entries.add(new Entry(level, String.valueOf(text)));
    }

    @Override
    public void log(
            Level level, @Nullable ResourceBundle bundle, @Nullable String format, @Nullable Object... parameters) {
        var isPlain = parameters == null || parameters.length == 0 || format == null;
        entries.add(new Entry(level, isPlain ? String.valueOf(format) : MessageFormat.format(format, parameters)));
    }

    public List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** The texts alone, in order. */
    public List<String> lines() {
        return entries.stream().map(Entry::text).toList();
    }
}
