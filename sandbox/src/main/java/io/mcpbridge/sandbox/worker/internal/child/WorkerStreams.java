package io.mcpbridge.sandbox.worker.internal.child;

import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The streams that lead to the pool.
 *
 * @param in brings orders
 * @param out takes answers
 * @param err takes what is said beside
 */
record WorkerStreams(InputStream in, OutputStream out, OutputStream err) {

    /** From now on what tools print goes to standard error, and there is nothing that they could read. */
    static WorkerStreams take() {
        // Not a bare file stream, which wants to know the length of a pipe before it reads from it.
        var in = new BufferedInputStream(new FileInputStream(FileDescriptor.in));
        var streams = new WorkerStreams(
                in, new FileOutputStream(FileDescriptor.out), new FileOutputStream(FileDescriptor.err));
        System.setOut(System.err);
        System.setIn(InputStream.nullInputStream());
        return streams;
    }
}
