package io.mcpbridge.translate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ProtocolException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stands in the place of a modern client before its legacy server: takes what the server wants to know for one call,
 * and keeps it until it is answered. Any thread.
 */
final class Desk implements Handler {
    private final Runnable onQuestion;
    private final InputAnswers early;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Question> open = new LinkedHashMap<>();

    @GuardedBy("lock")
    private List<String> asked = List.of();

    @GuardedBy("lock")
    private int minted;

    @GuardedBy("lock")
    private boolean isClosed;

    /**
     * Opens a desk.
     *
     * @param onQuestion hears that there is a new question
     * @param early answers that are there before the client was asked anything
     */
    Desk(Runnable onQuestion, InputAnswers early) {
        this.onQuestion = onQuestion;
        this.early = early;
    }

    @Override
    public void handle(Call call, Reply reply) {
        Optional<Question> added;
        try {
            added = Question.read(call.request(), reply).flatMap(this::add);
        } catch (ProtocolException unreadable) {
            Question.refuse(
                    call.request(),
                    reply,
                    "it cannot be read: " + unreadable.failure().message());
            return;
        }
        if (added.isEmpty()) {
            Question.refuse(call.request(), reply, "it is unknown, or the call has ended");
            return;
        }
        var question = added.get();
        // Parking has a time of its own for its client, after which the whole call lapses.
        var unused = call.deadline().hold();
        if (early.fits(question.key(), question.method()) && take(question)) {
            question.answer(early.raw(question.key()));
            return;
        }
        call.cancellation().onCancel(reason -> withdraw(question, reason));
        onQuestion.run();
    }

    /** Takes one in, under a key of ours where its own is missing or in use; empty if it comes too late. */
    private Optional<Question> add(Question wished) {
        lock.lock();
        try {
            if (isClosed) {
                return Optional.empty();
            }
            var isFree = !wished.key().isEmpty() && !open.containsKey(wished.key());
            var question = isFree ? wished : wished.withKey(mintKey());
            open.put(question.key(), question);
            return Optional.of(question);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private String mintKey() {
        do {
            minted++;
        } while (open.containsKey("input-" + minted));
        return "input-" + minted;
    }

    /** Takes one out; only one thread gets it. */
    private boolean take(Question question) {
        lock.lock();
        try {
            return open.remove(question.key(), question);
        } finally {
            lock.unlock();
        }
    }

    private void withdraw(Question question, CancelReason reason) {
        if (take(question)) {
            question.withdraw(reason);
        }
    }

    boolean isEmpty() {
        return all().isEmpty();
    }

    /** Takes out what a client with these capabilities cannot be asked. */
    List<Question> takeImpossible(String capabilities) {
        return all().stream()
                .filter(question -> !question.needs().isMetBy(capabilities))
                .filter(this::take)
                .toList();
    }

    /** All of them, raw JSON by key, which the client is asked now. */
    Map<String, String> ask() {
        lock.lock();
        try {
            asked = List.copyOf(open.keySet());
            return json(due());
        } finally {
            lock.unlock();
        }
    }

    /** Those that the client was asked and that are open still. */
    Map<String, String> askAgain() {
        lock.lock();
        try {
            return json(due());
        } finally {
            lock.unlock();
        }
    }

    /** Takes out those that the client was asked, if it has answered all of them. */
    Optional<List<Question>> takeAnswered(InputAnswers answers) {
        lock.lock();
        try {
            var due = due();
            if (!due.stream().allMatch(question -> answers.fits(question.key(), question.method()))) {
                return Optional.empty();
            }
            due.forEach(question -> open.remove(question.key()));
            return Optional.of(due);
        } finally {
            lock.unlock();
        }
    }

    /** Withdraws what is open and refuses what comes later. */
    void close(CancelReason reason) {
        List<Question> unanswered;
        lock.lock();
        try {
            isClosed = true;
            unanswered = List.copyOf(open.values());
            open.clear();
        } finally {
            lock.unlock();
        }
        unanswered.forEach(question -> question.withdraw(reason));
    }

    private List<Question> all() {
        lock.lock();
        try {
            return List.copyOf(open.values());
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private List<Question> due() {
        var due = new ArrayList<Question>();
        for (var key : asked) {
            var question = open.get(key);
            if (question != null) {
                due.add(question);
            }
        }
        return due;
    }

    private static Map<String, String> json(List<Question> questions) {
        var json = new LinkedHashMap<String, String>();
        questions.forEach(question -> json.put(question.key(), question.json()));
        return json;
    }
}
