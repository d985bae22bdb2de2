package io.mcpbridge.audit.file;

import io.mcpbridge.audit.internal.Uncovered;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * Vouches for a trail when that is due: at once and on the device, or signed beside the writer while records go on. For one
 * thread at a time.
 */
final class Checkpointing implements AutoCloseable {
    private static final String TROUBLE = "writing a checkpoint";

    private final WriterParts parts;
    private final Trail trail;
    private final Checkpoints checkpoints;
    private final ResumePoints resume;
    private final Signer signer;
    private final Pace pace;

    /** @param wake runs from another thread when it is worth looking again */
    Checkpointing(WriterParts parts, Trail trail, Checkpoints checkpoints, OpenCalls open, Runnable wake) {
        this.parts = parts;
        this.trail = trail;
        this.checkpoints = checkpoints;
        this.resume = new ResumePoints(parts, open);
        this.signer = new Signer(parts.key(), wake);
        this.pace = new Pace(parts.timekeeper(), wake);
    }

    /** There are records for which no checkpoint vouches. */
    void need() {
        pace.need();
    }

    /** Whether there are such records. */
    boolean isNeeded() {
        return uncovered() > 0;
    }

    /** Whether the segment before the one at hand ended without a checkpoint, or none vouches for any record yet. */
    boolean isOwed() {
        return trail.segment().first() - 1 > checkpoints.size() || (checkpoints.size() == 0 && isNeeded());
    }

    /** Whether it is time for one. */
    boolean isDue() {
        return !signer.isBusy() && pace.isDue(uncovered());
    }

    /** Whether it is so late that the next one has to be on the device. */
    boolean isLate() {
        return pace.isLate();
    }

    /** What is wrong with the file of the checkpoints where it should lie. */
    Optional<String> fault() {
        return checkpoints.fault();
    }

    private long uncovered() {
        return trail.head().sequence() - checkpoints.size();
    }

    /** Vouches for the trail, if all of it is on the device; what fails is told, and tried again. */
    void write(boolean isSound) {
        pace.done();
        vouch(() -> writeOrFail(isSound));
    }

    /** The same for whoever must know that it failed. */
    void writeOrFail(boolean isSound) throws IOException {
        var head = trail.head();
        if (trail.isDurable() && isSound && isNeeded()) {
            checkpoints.write(head);
        }
        checkpoints.force();
        if (checkpoints.size() == head.sequence()) {
            noteResume(resume.at(trail));
        }
    }

    /** Has the trail as it stands vouched for, if all of it is on the device; it is {@linkplain #take taken in} later. */
    void begin(boolean isSound) {
        pace.done();
        if (trail.isDurable() && isSound) {
            signer.begin(trail.head(), resume.ifDue(trail));
        }
    }

    /** Takes in what was signed meanwhile; waits for it where more records came than may be without a checkpoint. */
    void take() {
        signer.take(uncovered() >= Uncovered.MOST_RECORDS).ifPresent(signed -> vouch(() -> keep(signed)));
    }

    private void keep(Signer.Vouched signed) throws IOException {
        if (signed.checkpoint().checkpoint().size() <= checkpoints.size()) {
            return; // A later one was written at once.
        }
        checkpoints.write(signed.checkpoint());
        signed.resume().ifPresent(this::noteResume);
    }

    /** It only saves time, so that it cannot be written is no trouble of the trail. */
    private void noteResume(ResumeFile.Point point) {
        try {
            resume.note(point);
        } catch (IOException later) {
            parts.logger()
                    .log(Level.DEBUG, "[mcp-bridge] the next start will read more of the trail than it needs", later);
        }
    }

    private void vouch(Vouch action) {
        try {
            action.run();
            parts.troubles().end(TROUBLE);
        } catch (IOException failed) {
            pace.need();
            parts.troubles().begin(TROUBLE, "records are not vouched for", failed);
        }
    }

    private interface Vouch {
        void run() throws IOException;
    }

    /** Forgets the checkpoints of records that are removed. */
    void removeBefore(long sequence) throws IOException {
        checkpoints.removeBefore(sequence);
    }

    @Override
    public void close() throws IOException {
        pace.end();
        signer.close();
        checkpoints.close();
    }
}
