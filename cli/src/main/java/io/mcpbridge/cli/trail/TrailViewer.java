package io.mcpbridge.cli.trail;

import io.mcpbridge.cli.trail.TrailReader.Found;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Shows the entries of an audit trail, which it reads as a stream. */
public final class TrailViewer {
    /**
     * The number of bytes at the end of a trail that are searched first for its last calls; each further search reads
     * more.
     */
    private static final long FIRST_LOOK = 1 << 18;

    private static final int FURTHER = 4;
    /** The time between two looks for new records, and whether the output is closed. */
    private static final long PAUSE_MILLIS = 100;

    private final TrailFolder folder;
    private final TrailForm form;
    private final TrailOutput output;

    private TrailViewer(TrailFolder folder, TrailForm form, TrailOutput output) {
        this.folder = folder;
        this.form = form;
        this.output = output;
    }

    /**
     * Makes a viewer of the trail in a folder.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the folder cannot be read
     */
    public static TrailViewer at(Path folder, TrailForm form, TrailOutput output) {
        return new TrailViewer(TrailFolder.at(folder), form, output);
    }

    /**
     * Shows all entries that the filter accepts.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if nothing was recorded yet
     */
    public void showAll(TrailFilter filter) {
        folder.requireRecords();
        form.header().ifPresent(output::line);
        try (var reader = TrailReader.from(folder, folder.placeBefore(filter.earliest()), filter)) {
            showRest(reader);
            reader.open().forEach(entry -> form.open(entry).ifPresent(output::line));
        } catch (IOException unreadable) {
            throw folder.unreadable(unreadable);
        }
    }

    /**
     * Shows the last entries that the filter accepts.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if nothing was recorded yet
     */
    public void showLast(int count, TrailFilter filter) {
        folder.requireRecords();
        form.header().ifPresent(output::line);
        try (var reader = readToLast(count, filter, Until.OPEN_CALLS)) {
            reader.unreported().forEach(output::remark);
        } catch (IOException unreadable) {
            throw folder.unreadable(unreadable);
        }
    }

    /**
     * Shows the last entries that the filter accepts, then new ones, until the output closes or this thread is
     * interrupted.
     */
    public void follow(int count, TrailFilter filter) throws InterruptedException {
        form.header().ifPresent(output::line);
        while (folder.isEmpty()) {
            if (output.isClosed()) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        try (var reader = readToLast(count, filter, Until.LAST_RECORD)) {
            while (!output.isClosed()) {
                showRest(reader);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (IOException unreadable) {
            throw folder.unreadable(unreadable);
        }
    }

    private void showRest(TrailReader reader) throws IOException {
        for (var found = reader.next(); found.isPresent() && !output.isClosed(); found = reader.next()) {
            text(found.get()).ifPresent(output::line);
        }
        reader.unreported().forEach(output::remark);
    }

    private Optional<String> text(Found found) {
        return form.text(found.record(), found.entry());
    }

    /**
     * Reads increasing parts of the end until it has enough entries, and shows them. The returned reader continues
     * after them.
     */
    private TrailReader readToLast(int count, TrailFilter filter, Until until) throws IOException {
        for (long bytes = FIRST_LOOK; ; bytes *= FURTHER) {
            var place = folder.placeFromEnd(bytes);
            var last = new LastTexts(count);
            var reader = TrailReader.from(folder, place, filter);
            read(reader, last);
            if (until == Until.OPEN_CALLS) {
                reader.open().forEach(entry -> form.open(entry).ifPresent(text -> last.add(text, true)));
            }
            if (last.isEnough() || reader.first().isBefore(filter.earliest()) || place.equals(folder.beginning())) {
                last.showAt(output);
                return reader;
            }
            reader.close();
        }
    }

    private void read(TrailReader reader, LastTexts last) throws IOException {
        for (var found = reader.next(); found.isPresent(); found = reader.next()) {
            var entry = found.get().entry();
            text(found.get()).ifPresent(text -> last.add(text, entry.isWholeSince(reader.first())));
        }
    }

    /** The entries that are shown last. */
    private enum Until {
        LAST_RECORD,
        /** The calls that have not ended, after the last record. */
        OPEN_CALLS
    }

    /** Keeps the last texts, up to a number. */
    private static final class LastTexts {
        private final int most;
        private final Deque<Last> kept = new ArrayDeque<>();

        private record Last(String text, boolean isWhole) {}

        LastTexts(int most) {
            this.most = most;
        }

        /** Adds a text, and removes the oldest beyond the limit. */
        void add(String text, boolean isWhole) {
            kept.add(new Last(text, isWhole));
            if (kept.size() > most) {
                kept.remove();
            }
        }

        /** Whether there are enough texts, all of complete entries. */
        boolean isEnough() {
            return kept.size() == most && kept.stream().allMatch(Last::isWhole);
        }

        void showAt(TrailOutput output) {
            kept.forEach(last -> output.line(last.text()));
        }
    }
}
