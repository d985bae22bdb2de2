package io.mcpbridge.isolation;

import io.mcpbridge.message.JsonStrings;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A server in a few lines of shell, which starts within milliseconds and keeps state.
 *
 * <p>{@code count} says how often it was called in this process, and the process's number; {@code nap} takes 50 ms;
 * {@code hang} waits with a process that it started; {@code crash} ends it with code 7; {@code eat} takes 100 MB of memory;
 * {@code spin} computes without end; {@code stay} is answered, and from then on only KILL ends it. It takes 300 ms to end after its
 * input has, if {@code $SLOW_END} is set, and ends at once for the how manieth start if {@code $BROKEN} names a file.
 */
final class ShellServer {
    private static final String SCRIPT = """
        n=0
        [ -n "$BROKEN" ] && [ -e "$BROKEN" ] && { echo 'out of order' >&2; exit 3; }
        answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$1"; }
        text() { answer '{"content":[{"type":"text","text":"'"$1"'"}]}'; }
        tool() { printf '{"name":"%s","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":false}}' "$1"; }
        while IFS= read -r line; do
          case $line in *'"id":'*) ;; *) continue ;; esac
          id=${line#*'"id":'}
          id=${id%%[,\\}]*}
          case $line in
            *'"method":"initialize"'*)
              answer '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}' ;;
            *'"method":"tools/list"'*)
              answer '{"tools":['"$(tool count),$(tool nap),$(tool eat),$(tool hang),$(tool crash),$(tool spin),$(tool stay)"']}' ;;
            *'"name":"count"'*) n=$((n + 1)); text "$n in $$" ;;
            *'"name":"nap"'*) sleep 0.05; text "$$" ;;
            *'"name":"hang"'*) sleep 120; text woke ;;
            *'"name":"eat"'*) x=$(head -c 100000000 /dev/zero | tr '\\0' x); text ${#x} ;;
            *'"name":"spin"'*) while :; do :; done ;;
            *'"name":"stay"'*) trap '' TERM; stays=yes; text "$$" ;;
            *'"name":"crash"'*) echo 'out of luck' >&2; exit 7 ;;
            *) answer '{}' ;;
          esac
        done
        [ -z "$SLOW_END" ] || sleep 0.3
        while [ -n "$stays" ]; do sleep 0.1; done
        """;

    private ShellServer() {}

    /** The section of the configuration, with more keys. */
    static String section(String... more) {
        var keys = List.of(
                "\"command\": \"/bin/sh\"",
                "\"args\": [\"-c\", " + JsonStrings.quote(SCRIPT) + "]",
                "\"protocol\": \"legacy\"",
                "\"isolation\": \"call\"",
                "\"retry\": \"none\"");
        return java.util.stream.Stream.concat(keys.stream(), List.of(more).stream())
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
