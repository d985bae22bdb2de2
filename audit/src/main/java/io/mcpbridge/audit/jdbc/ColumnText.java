package io.mcpbridge.audit.jdbc;

import static java.nio.charset.StandardCharsets.UTF_16BE;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Texts of a record as columns hold them: short enough for an index, and without what databases or terminals mind. */
final class ColumnText {
    private static final int LONGEST = 255;
    private static final int INSTEAD = 0xFFFD;

    private ColumnText() {}

    /** For whoever searches and reads. */
    static String shown(String text) {
        var shown = new StringBuilder();
        text.codePoints()
                .limit(LONGEST)
                .map(each -> isFit(each) ? each : INSTEAD)
                .forEach(shown::appendCodePoint);
        return shown.toString();
    }

    /** For what must stay distinct. */
    static String key(String text) {
        return text.equals(shown(text)) ? text : "sha256:" + digest(text);
    }

    private static boolean isFit(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE -> false;
            default -> true;
        };
    }

    private static String digest(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_16BE));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
