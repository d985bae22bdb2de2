package io.mcpbridge.upstream;

import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells the log once of each tool that a server lists and nobody can call, and why. A server that has ever new ones fills
 * neither the log nor the memory. Any thread may use it.
 */
final class LeftOut {
    /** More tools than these are not told of. */
    static final int MOST = 100;

    private static final int LONGEST_NAME = 128;
    private static final int LONGEST_REASON = 400;

    private final String server;
    private final System.Logger logger;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    LeftOut(String server, System.Logger logger) {
        this.server = server;
        this.logger = logger;
    }

    void tell(String tool, String why) {
        var words = "the tool '%s' of server '%s' cannot be called and is not listed: %s"
                .formatted(shown(tool, LONGEST_NAME), server, shown(why, LONGEST_REASON));
        if (told.size() < MOST && told.add(words)) {
            logger.log(Level.WARNING, "[mcp-bridge] " + words);
        }
    }

    /** A text of the server, cut, and with what nobody would see of it escaped. */
    private static String shown(String text, int longest) {
        var cut = text.length() <= longest ? text : text.substring(0, longest) + "…";
        var shown = new StringBuilder(cut.length());
        cut.codePoints().forEach(c -> {
            if (isHidden(c)) {
                shown.append("\\u{%x}".formatted(c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    private static boolean isHidden(int c) {
        return Character.isISOControl(c)
                || switch (Character.getType(c)) {
                    case Character.FORMAT,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR,
                            Character.PRIVATE_USE,
                            Character.SURROGATE -> true;
                    default -> false;
                };
    }
}
