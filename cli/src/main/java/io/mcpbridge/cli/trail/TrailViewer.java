package io.mcpbridge.cli.trail;

import io.mcpbridge.cli.trail.TrailReader.Found;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An audit trail, read as a stream. */
public final class TrailViewer {
    /** The bytes at the end of a trail that are searched first for its last calls; each further search has more. */
    private static final long FIRST_LOOK = 1 << 18;

    private static final int FURTHER = 4;
    private static final Duration SCREEN_CHECK = Duration.ofMillis(100);

    private final TrailFolder folder;
    private final TrailForm form;
    private final TrailOutput screen;

    private TrailViewer(TrailFolder folder, TrailForm form, TrailOutput screen) {
        this.folder = folder;
        this.form = form;
        this.screen = screen;
    }

    /**
     * The trail in a folder.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the folder cannot be read
     */
    public static TrailViewer at(Path folder, TrailForm form, TrailOutput screen) {
        return new TrailViewer(TrailFolder.at(folder), form, screen);
    }

    /**
     * Shows all entries that the filter accepts.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if nothing was recorded yet
     */
    public void showAll(TrailFilter filter) {
        folder.requireRecords();
        form.header().ifPresent(screen::line);
        try (var reading = TrailReader.from(folder, folder.placeBefore(filter.earliest()), filter)) {
            showRest(reading);
            reading.open().forEach(entry -> form.open(entry).ifPresent(screen::line));
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
        form.header().ifPresent(screen::line);
        try (var reading = readToLast(count, filter, Until.OPEN_CALLS)) {
            reading.unreported().forEach(screen::remark);
        } catch (IOException unreadable) {
            throw folder.unreadable(unreadable);
        }
    }

    /**
     * Shows the last entries that the filter accepts, then new ones, until the screen closes or this thread is
     * interrupted.
     */
    public void follow(int count, TrailFilter filter) throws InterruptedException {
        form.header().ifPresent(screen::line);
        try (var changes = folder.watch()) {
            while (folder.isEmpty()) {
                if (screen.isClosed()) {
                    return;
                }
                awaitChange(changes);
            }
            try (var reading = readToLast(count, filter, Until.LAST_RECORD)) {
                while (!screen.isClosed()) {
                    showRest(reading);
                    awaitChange(changes);
                }
            }
        } catch (IOException unreadable) {
            throw folder.unreadable(unreadable);
        }
    }

    /** Waits until the trail grows, or until it is time to see whether the screen is closed. */
    private static void awaitChange(@Nullable WatchService changes) throws InterruptedException {
        if (changes == null) {
            TimeUnit.MILLISECONDS.sleep(SCREEN_CHECK.toMillis());
            return;
        }
        var change = changes.poll(SCREEN_CHECK.toMillis(), TimeUnit.MILLISECONDS);
        if (change != null) {
            var unusedEvents = change.pollEvents();
            var unused = change.reset();
        }
    }

    private void showRest(TrailReader reading) throws IOException {
        for (var found = reading.next(); found.isPresent() && !screen.isClosed(); found = reading.next()) {
            text(found.get()).ifPresent(screen::line);
        }
        reading.unreported().forEach(screen::remark);
    }

    private Optional<String> text(Found found) {
        return form.text(found.record(), found.entry());
    }

    /** Reads more and more of the end until it has enough entries, and shows them. The reader can continue from there. */
    private TrailReader readToLast(int count, TrailFilter filter, Until until) throws IOException {
        for (long bytes = FIRST_LOOK; ; bytes *= FURTHER) {
            var place = folder.placeFromEnd(bytes);
            var last = new LastTexts(count);
            var reading = TrailReader.from(folder, place, filter);
            read(reading, last);
            if (until == Until.OPEN_CALLS) {
                reading.open().forEach(entry -> form.open(entry).ifPresent(text -> last.add(text, true)));
            }
            if (last.isEnough() || reading.first().isBefore(filter.earliest()) || place.equals(folder.beginning())) {
                last.showAt(screen);
                return reading;
            }
            reading.close();
        }
    }

    private void read(TrailReader reading, LastTexts last) throws IOException {
        for (var found = reading.next(); found.isPresent(); found = reading.next()) {
            var entry = found.get().entry();
            text(found.get()).ifPresent(text -> last.add(text, entry.isWholeSince(reading.first())));
        }
    }

    /** The entries that are shown last. */
    private enum Until {
        LAST_RECORD,
        /** After the last record come the calls that have not ended. */
        OPEN_CALLS
    }

    /** The last of many texts. */
    private static final class LastTexts {
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

        /** Whether there are enough, and all of them are whole. */
        boolean isEnough() {
            return kept.size() == most && kept.stream().allMatch(Last::isWhole);
        }

        void showAt(TrailOutput screen) {
            kept.forEach(last -> screen.line(last.text()));
        }
    }
}
