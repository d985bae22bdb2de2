package io.mcpbridge.benchmarks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** A server on standard streams, called directly. Its callers read answers for each other. */
final class StdioServer {
    private final OutputStream out;
    private final BufferedReader in;
    private final ReentrantLock writing = new ReentrantLock();
    private final ReentrantLock reading = new ReentrantLock(true);
    private final Map<Integer, String> answers = new ConcurrentHashMap<>();

    StdioServer(Process process) throws IOException {
        out = process.getOutputStream();
        in = new BufferedReader(new InputStreamReader(process.getInputStream(), ISO_8859_1), 64 << 10);
        send(EchoCall.bytes(Payload.INITIALIZE));
        var unused = answer(0);
        send(EchoCall.bytes(Payload.INITIALIZED));
    }

    static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
    }

    /** One caller. */
    Contender caller(EchoCall unframed) {
        var call = unframed.framed("", "\n");
        return new Contender() {
            @Override
            public void call() throws IOException {
                send(call.next().array());
                var answer = EchoCall.bytes(answer(call.number()));
                if (!call.isAnsweredBy(answer, answer.length)) {
                    throw new IOException("the answer is " + new String(answer, ISO_8859_1));
                }
            }

            @Override
            public void close() {}
        };
    }

    private void send(byte[] line) throws IOException {
        writing.lock();
        try {
            out.write(line);
            out.flush();
        } finally {
            writing.unlock();
        }
    }

    private String answer(int id) throws IOException {
        reading.lock();
        try {
            while (true) {
                var answer = answers.remove(id);
                if (answer != null) {
                    return answer;
                }
                read();
            }
        } finally {
            reading.unlock();
        }
    }

    private void read() throws IOException {
        var line = in.readLine();
        if (line == null) {
            throw new EOFException("the server ended");
        }
        int from = line.lastIndexOf("\"id\":") + 5;
        int to = from;
        while (from >= 5 && to < line.length() && Character.isDigit(line.charAt(to))) {
            to++;
        }
        if (to > from) {
            answers.put(Integer.parseInt(line.substring(from, to)), line);
        }
    }
}
