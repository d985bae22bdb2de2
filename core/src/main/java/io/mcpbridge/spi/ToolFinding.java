package io.mcpbridge.spi;

import io.mcpbridge.failure.VisibleText;
import java.util.List;
import java.util.Locale;

/**
 * Something that an operator should know of a tool that a server lists.
 *
 * @param server its name in the configuration
 * @param tool its name at the server
 * @param kind what was found
 * @param reason in words, which quote nothing of the definition that is not shown escaped
 * @param details what differs, a line each; may be empty
 * @param isWithheld whether clients neither see nor call the tool because of it
 */
public record ToolFinding(
        String server, String tool, Kind kind, String reason, List<String> details, boolean isWithheld) {

    /** What can be found of a tool. */
    public enum Kind {
        /** Nobody has approved it. */
        NEW,
        /** It is defined otherwise than it was approved. */
        CHANGED,
        /** It was approved, and its server lists it no longer. */
        GONE,
        /** Its definition hides something from the people who read it, or cannot be compared. */
        SUSPICIOUS;

        /** In lower case. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public ToolFinding {
        details = List.copyOf(details);
    }

    /** Whether it is about this tool. */
    public boolean isOf(String otherServer, String otherTool) {
        return server.equals(otherServer) && tool.equals(otherTool);
    }

    /** The tool's name for people, with what nobody would see of it escaped. */
    public String shownTool() {
        return VisibleText.of(tool);
    }
}
