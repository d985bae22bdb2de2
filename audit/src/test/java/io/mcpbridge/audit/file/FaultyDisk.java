package io.mcpbridge.audit.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/** The disk of the system, which fails when a test wants it to. Any thread may use it. */
final class FaultyDisk implements TrailFileSystem {
    private final TrailFileSystem system = TrailFileSystem.ofTheSystem();
    private final AtomicInteger operations = new AtomicInteger();
    private final AtomicInteger syncs = new AtomicInteger();
    private final AtomicInteger held = new AtomicInteger();
    private volatile IntPredicate failing = number -> false;
    private volatile boolean isFull;
    private volatile boolean failsToSync;
    private volatile boolean failsToCut;
    private volatile String failingFile = "none";
    private volatile int mostBytes = Integer.MAX_VALUE;
    private volatile CountDownLatch gate = new CountDownLatch(0);

    /** Each operation whose number, from 1, fits, fails; a write takes half of its bytes before. */
    FaultyDisk failing(IntPredicate numbers) {
        failing = numbers;
        return this;
    }

    /** Takes half of what is written and then says that there is no space left. */
    void full(boolean now) {
        isFull = now;
    }

    void failToSync(boolean now) {
        failsToSync = now;
    }

    void failToCut(boolean now) {
        failsToCut = now;
    }

    /** Takes nothing for the file of this name. */
    void failToWrite(String name) {
        failingFile = name;
    }

    /** Takes so few bytes at once. */
    FaultyDisk shortWrites(int most) {
        mostBytes = most;
        return this;
    }

    /** Lets each sync wait until what is returned is counted down. */
    CountDownLatch hold() {
        gate = new CountDownLatch(1);
        return gate;
    }

    /** How many syncs have come to what holds them, whether they still wait there or not. */
    int held() {
        return held.get();
    }

    int operations() {
        return operations.get();
    }

    int syncs() {
        return syncs.get();
    }

    @Override
    public OpenFile open(Path file) throws IOException {
        count("open");
        return new Faulty(system.open(file), file);
    }

    @Override
    public void force(Path folder) throws IOException {
        count("sync of a folder");
        system.force(folder);
    }

    private void count(String what) throws IOException {
        if (failing.test(operations.incrementAndGet())) {
            throw new IOException("Input/output error at " + what);
        }
    }

    private final class Faulty implements OpenFile {
        private final OpenFile file;
        private final Path path;
        private boolean isHalfWritten;

        Faulty(OpenFile file, Path path) {
            this.file = file;
            this.path = path;
        }

        @Override
        public int write(ByteBuffer bytes, long position) throws IOException {
            var fails = failing.test(operations.incrementAndGet());
            if (path.endsWith(failingFile)) {
                throw new IOException("Input/output error");
            }
            if ((fails || isFull) && (isHalfWritten || bytes.remaining() < 2)) {
                isHalfWritten = false;
                throw new IOException("No space left on device");
            }
            isHalfWritten = isFull;
            var most = fails || isFull ? bytes.remaining() / 2 : Math.min(bytes.remaining(), mostBytes);
            var taken = file.write(bytes.slice(bytes.position(), most), position);
            bytes.position(bytes.position() + taken);
            if (fails) {
                throw new IOException("No space left on device");
            }
            return taken;
        }

        @Override
        public void force() throws IOException {
            count("sync");
            held.incrementAndGet();
            try {
                gate.await();
            } catch (InterruptedException interrupted) {
                throw new IOException(interrupted);
            }
            if (failsToSync) {
                throw new IOException("Input/output error");
            }
            syncs.incrementAndGet();
            file.force();
        }

        @Override
        public void truncate(long size) throws IOException {
            count("cut");
            if (failsToCut) {
                throw new IOException("Input/output error");
            }
            file.truncate(size);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
