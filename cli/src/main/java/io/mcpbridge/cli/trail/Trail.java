package io.mcpbridge.cli.trail;

import io.mcpbridge.cli.trail.TrailReading.Found;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** An audit trail, read as a stream. */
public final class Trail {
    /** How much of the end of a trail is looked at first for its last calls, and how many times more each next time. */
    private static final long FIRST_LOOK = 1 << 18;

    private static final int FURTHER = 4;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final TrailFolder folder;
    private final TrailForm form;
    private final TrailScreen screen;

    private Trail(TrailFolder folder, TrailForm form, TrailScreen screen) {
        this.folder = folder;
        this.form = form;
        this.screen = screen;
    }

    /**
     * The trail in a folder.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the folder cannot be read
     */
    public static Trail at(Path folder, TrailForm form, TrailScreen screen) {
        return new Trail(TrailFolder.at(folder), form, screen);
    }

    /**
     * Checks that there is something to show.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if nothing was recorded yet
     */
    public void requireRecords() {
        folder.requireRecords();
    }

    /** Shows everything that is wanted. */
    public void showAll(TrailFilter filter) {
        folder.requireRecords();
        try (var reading = TrailReading.from(folder, folder.placeBefore(filter.earliest()), filter)) {
            showRest(reading);
            reading.open().forEach(entry -> form.open(entry).ifPresent(screen::show));
        } catch (IOException unreadable) {
            throw folder.unreadable(unreadable);
        }
    }

    /** Shows the last of what is wanted. */
    public void showLast(int count, TrailFilter filter) {
        folder.requireRecords();
        try (var reading = readToLast(count, filter, true)) {
            reading.untold().forEach(screen::remark);
        } catch (IOException unreadable) {
            throw folder.unreadable(unreadable);
        }
    }

    /** Shows the last of what is wanted, and then what comes, until nobody looks or this thread is interrupted. */
    public void follow(int count, TrailFilter filter) throws InterruptedException {
        while (folder.isEmpty()) {
            if (screen.isOver()) {
                return;
            }
            Thread.sleep(PAUSE.toMillis());
        }
        try (var reading = readToLast(count, filter, false)) {
            while (!screen.isOver()) {
                showRest(reading);
                Thread.sleep(PAUSE.toMillis());
            }
        } catch (IOException unreadable) {
            throw folder.unreadable(unreadable);
        }
    }

    private void showRest(TrailReading reading) throws IOException {
        for (var found = reading.next(); found.isPresent() && !screen.isOver(); found = reading.next()) {
            text(found.get()).ifPresent(screen::show);
        }
        reading.untold().forEach(screen::remark);
    }

    private Optional<String> text(Found found) {
        return form.text(found.record(), found.entry());
    }

    /** Reads more and more of the end until it holds what is wanted, and shows that. The reading can go on from there. */
    private TrailReading readToLast(int count, TrailFilter filter, boolean withOpen) throws IOException {
        for (long bytes = FIRST_LOOK; ; bytes *= FURTHER) {
            var place = folder.placeFromEnd(bytes);
            var last = new LastTexts(count);
            var reading = TrailReading.from(folder, place, filter);
            read(reading, last);
            if (withOpen) {
                reading.open().forEach(entry -> form.open(entry).ifPresent(text -> last.add(text, true)));
            }
            if (last.isEnough() || reading.first().isBefore(filter.earliest()) || place.equals(folder.beginning())) {
                last.showAt(screen);
                return reading;
            }
            reading.close();
        }
    }

    private void read(TrailReading reading, LastTexts last) throws IOException {
        for (var found = reading.next(); found.isPresent(); found = reading.next()) {
            var entry = found.get().entry();
            text(found.get()).ifPresent(text -> last.add(text, entry.isWholeSince(reading.first())));
        }
    }
}
