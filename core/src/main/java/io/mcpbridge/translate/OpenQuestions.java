package io.mcpbridge.translate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What a server wants to know for one call and has no answer to. For one thread at a time: its call guards it. */
final class OpenQuestions {
    private final Map<String, Question> open = new LinkedHashMap<>();
    private List<String> asked = List.of();
    private int minted;

    /** Takes one in, under a key of ours where its own is missing or in use; tells how it is known. */
    Question add(Question wished) {
        var isFree = !wished.key().isEmpty() && !open.containsKey(wished.key());
        var question = isFree ? wished : wished.withKey(mintKey());
        open.put(question.key(), question);
        return question;
    }

    private String mintKey() {
        do {
            minted++;
        } while (open.containsKey("input-" + minted));
        return "input-" + minted;
    }

    /** Takes one out; only one thread gets it. */
    boolean remove(Question question) {
        return open.remove(question.key(), question);
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /** What a client with these capabilities cannot be asked. */
    List<Needs> missing(String capabilities) {
        return open.values().stream()
                .map(Question::needs)
                .filter(need -> !need.isMetBy(capabilities))
                .toList();
    }

    /** All of them, raw JSON by key, which the client is asked now. */
    Map<String, String> ask() {
        asked = List.copyOf(open.keySet());
        return askAgain();
    }

    /** Those that the client was asked and that are open still. */
    Map<String, String> askAgain() {
        var requests = new LinkedHashMap<String, String>();
        due().forEach(question -> requests.put(question.key(), question.json()));
        return requests;
    }

    /** Whether all that the client was asked is answered. */
    boolean areAnsweredBy(InputAnswers answers) {
        return due().stream().allMatch(question -> answers.fits(question.key(), question.method()));
    }

    /** Takes out those that the client was asked. */
    List<Question> takeAsked() {
        var due = due();
        due.forEach(this::remove);
        return due;
    }

    List<Question> takeAll() {
        var all = List.copyOf(open.values());
        open.clear();
        return all;
    }

    private List<Question> due() {
        return asked.stream().map(open::get).filter(Objects::nonNull).toList();
    }
}
