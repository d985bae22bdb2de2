package io.mcpbridge.transport.http.internal;

import java.util.Arrays;
import java.util.Locale;

/** The headers and media types of Streamable HTTP, in lower case. */
public final class HeaderNames {
    public static final String ACCEPT = "accept";
    public static final String AUTHORIZATION = "authorization";
    public static final String CACHE_CONTROL = "cache-control";
    public static final String CONNECTION = "connection";
    public static final String CONTENT_ENCODING = "content-encoding";
    public static final String CONTENT_LENGTH = "content-length";
    public static final String CONTENT_TYPE = "content-type";
    public static final String HOST = "host";
    public static final String LAST_EVENT_ID = "last-event-id";
    public static final String LOCATION = "location";
    public static final String ORIGIN = "origin";
    public static final String PROTOCOL_VERSION = "mcp-protocol-version";
    public static final String REQUEST_HEADERS = "access-control-request-headers";
    public static final String REQUEST_METHOD = "access-control-request-method";
    public static final String RETRY_AFTER = "retry-after";
    public static final String SESSION_ID = "mcp-session-id";
    public static final String TRANSFER_ENCODING = "transfer-encoding";
    public static final String WWW_AUTHENTICATE = "www-authenticate";

    public static final String JSON = "application/json";
    public static final String EVENT_STREAM = "text/event-stream";

    private HeaderNames() {}

    /** Whether the text is a valid header value: printable ASCII, with blanks and tabs only inside. */
    public static boolean isHeaderValue(String value) {
        return value.chars().allMatch(c -> (c >= ' ' && c < 0x7f) || c == '\t')
                && value.strip().length() == value.length();
    }

    /** Whether the text is visible ASCII, as session ids must be. */
    public static boolean isVisible(String value) {
        return !value.isEmpty() && value.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }

    /** Whether the text is a valid header name. */
    public static boolean isHeaderName(String name) {
        return !name.isEmpty() && name.chars().allMatch(HeaderNames::isTokenCharacter);
    }

    private static boolean isTokenCharacter(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
    }

    /** The media type of a {@code Content-Type} header, in lower case and without its parameters. */
    public static String mediaType(String contentType) {
        int semicolon = contentType.indexOf(';');
        var type = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
        return type.strip().toLowerCase(Locale.ROOT);
    }

    /** Whether a {@code Content-Type} header names no charset but UTF-8, the only one of JSON. */
    public static boolean isUtf8(String contentType) {
        return contentType.indexOf(';') < 0
                || Arrays.stream(contentType.toLowerCase(Locale.ROOT).split(";", -1))
                        .map(parameter -> parameter.replaceAll("[\\s\"]", ""))
                        .filter(parameter -> parameter.startsWith("charset="))
                        .allMatch(parameter -> parameter.equals("charset=utf-8") || parameter.equals("charset=utf8"));
    }
}
