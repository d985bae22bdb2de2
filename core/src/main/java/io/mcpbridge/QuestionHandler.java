package io.mcpbridge;

/**
 * Answers what a server asks a Java program while it works for it, such as an elicitation. It may wait: it runs on a
 * thread of its own, which is interrupted when the server or the call no longer wants the answer.
 */
@FunctionalInterface
public interface QuestionHandler {

    /**
     * Answers one request of a server.
     *
     * @return the raw JSON of the result, an object
     * @throws Exception if there is no answer; it is logged, and the server is told no more than that there is none
     */
    String answer(Question question) throws Exception;

    /** Whether it also answers elicitations that send the user to an address, beside those by forms. */
    default boolean answersAddresses() {
        return false;
    }
}
