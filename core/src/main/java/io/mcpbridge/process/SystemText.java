package io.mcpbridge.process;

import java.nio.charset.Charset;

/**
 * Texts as the system hands them to a program: in the encoding of our locale. That of the locale {@code C} has the letters
 * of ASCII only, and the JDK would put a question mark in the place of each other one.
 */
final class SystemText {
    private static final Charset ENCODING = encoding();

    private SystemText() {}

    /** Since JDK 18 the usual encoding is UTF-8 everywhere, and that of the system has a property of its own. */
    private static Charset encoding() {
        var usual = Charset.defaultCharset();
        return Runtime.version().feature() < 18
                ? usual
                : Charset.forName(System.getProperty("sun.jnu.encoding", usual.name()));
    }

    /** Whether a program would get this text as it is. */
    static boolean passes(String text) {
        return ENCODING.newEncoder().canEncode(text);
    }

    /** What is wrong with a text that does not pass, and what would be right. */
    static String problem() {
        return "holds characters that do not pass to a program in %s, the encoding of our locale; start under one of UTF-8, such as LC_ALL=C.UTF-8, or take them out"
                .formatted(ENCODING.name());
    }
}
