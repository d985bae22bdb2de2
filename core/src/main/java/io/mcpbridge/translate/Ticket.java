package io.mcpbridge.translate;

import java.util.Optional;

/** What a sealed {@code requestState} of ours says. */
sealed interface Ticket {

    /** As it is sealed. */
    String text();

    /**
     * A call is parked here.
     *
     * @param call its number
     * @param round how often it was parked
     */
    record Parked(long call, long round) implements Ticket {
        @Override
        public String text() {
            return "call %d %d".formatted(call, round);
        }
    }

    /**
     * The call was ended by its server and is made again, once the user has been at some addresses.
     *
     * @param until when that is too late, on the clock that nobody sets: tickets are used by the daemon that made them
     * @param requests what was asked, raw JSON
     */
    record Again(long until, String requests) implements Ticket {
        @Override
        public String text() {
            return "again %d %s".formatted(until, requests);
        }
    }

    /** Reads what {@link #text} wrote; empty for anything else. */
    static Optional<Ticket> parse(String text) {
        var words = text.split(" ", 3);
        if (words.length < 3) {
            return Optional.empty();
        }
        return switch (words[0]) {
            case "call" -> Optional.of(new Parked(Long.parseLong(words[1]), Long.parseLong(words[2])));
            case "again" -> Optional.of(new Again(Long.parseLong(words[1]), words[2]));
            default -> Optional.empty();
        };
    }
}
