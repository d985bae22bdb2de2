package io.mcpbridge.engine.translation;

import io.mcpbridge.call.Call;
import io.mcpbridge.message.MessageField;
import java.util.Optional;

/**
 * Seals the {@code requestState} that modern clients keep for calls of legacy servers. A token opens only for the same
 * user, the same server and the same request. Any thread.
 */
final class ResumeTokens {
    private static final String PURPOSE = "suspended-call";

    private final Seal seal = new Seal();

    /** The content of a token. */
    sealed interface Token permits Suspended, Repeat {
        String text();
    }

    /**
     * Continues a suspended call.
     *
     * @param call its number
     * @param round how often it has been suspended
     */
    record Suspended(long call, long round) implements Token {
        @Override
        public String text() {
            return "call %d %d".formatted(call, round);
        }
    }

    /**
     * Repeats a call that its server ended with an error, after the user has visited some URLs.
     *
     * @param until the last moment for that, in nanoseconds of the monotonic clock; only the daemon that made the token
     *     opens it
     * @param requests the input requests, raw JSON
     */
    record Repeat(long until, String requests) implements Token {
        @Override
        public String text() {
            return "again %d %s".formatted(until, requests);
        }
    }

    String seal(TranslatedServer server, Call call, Token token) {
        return seal.seal(PURPOSE, binding(server, call), token.text());
    }

    /** The token in the call's {@code requestState}; empty if it is not one of this bridge for this call. */
    Optional<Token> open(TranslatedServer server, Call call) {
        return call.request()
                .text(MessageField.REQUEST_STATE)
                .filter(Seal::isSealed)
                .flatMap(state -> seal.open(PURPOSE, binding(server, call), state))
                .flatMap(ResumeTokens::parse);
    }

    private static String binding(TranslatedServer server, Call call) {
        var principal = call.caller().principal();
        return String.join(
                "\n", principal.proof(), principal.name(), server.name(), RequestDigests.compute(call.request()));
    }

    private static Optional<Token> parse(String text) {
        var words = text.split(" ", 3);
        if (words.length < 3) {
            return Optional.empty();
        }
        return switch (words[0]) {
            case "call" -> Optional.of(new Suspended(Long.parseLong(words[1]), Long.parseLong(words[2])));
            case "again" -> Optional.of(new Repeat(Long.parseLong(words[1]), words[2]));
            default -> Optional.empty();
        };
    }
}
