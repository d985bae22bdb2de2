package io.mcpbridge.failure;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.util.Locale;

/** The text of an exception. Pure. */
public final class ErrorText {

    private ErrorText() {}

    /**
     * The message; that of a file system exception is its reason, without the file. If there is none, the words of the
     * name of an {@link IOException}, such as {@code no such file}, or the simple name of another class.
     */
    public static String of(Throwable thrown) {
        if (thrown instanceof CharacterCodingException) {
            return "it is not UTF-8 text";
        }
        var message = thrown instanceof FileSystemException file ? file.getReason() : thrown.getMessage();
        if (message != null && !message.isBlank()) {
            return message;
        }
        var name = thrown.getClass().getSimpleName();
        if (thrown instanceof ConnectException) {
            return "no connection";
        }
        return thrown instanceof IOException
                ? name.replace("Exception", "")
                        .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                        .toLowerCase(Locale.ROOT)
                : name;
    }
}
