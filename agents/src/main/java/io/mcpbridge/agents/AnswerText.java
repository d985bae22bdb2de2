package io.mcpbridge.agents;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;

/** Tells a model how its call ended, in texts and images. Pure. */
final class AnswerText {
    private static final Set<String> IMAGES = Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

    /** The longest image that the APIs accept, in characters of base64. */
    private static final int MAX_IMAGE = 5_000_000;

    private static final String UNKNOWN =
            "%s It is unknown whether the call ran: find out before you call the tool again.";

    private AnswerText() {}

    /**
     * The content of a result, at most {@code maxLength} characters of text. A failed result has no images, since not every
     * API takes them there.
     */
    static List<Content> of(ToolResult result, int maxLength) {
        var content = new ArrayList<Content>();
        var length = 0;
        for (var block : result.blocks()) {
            if (block instanceof Content.Image image && !result.isError() && isAccepted(image)) {
                content.add(image);
                continue;
            }
            var text = text(block);
            var rest = maxLength - length;
            if (text.length() > rest) {
                content.add(cut(text, rest));
                return content;
            }
            length += text.length();
            if (!text.isEmpty()) {
                content.add(new Content.Text(text));
            }
        }
        return content.isEmpty() ? List.of(other(result, maxLength)) : content;
    }

    private static boolean isAccepted(Content.Image image) {
        return IMAGES.contains(image.mimeType()) && image.data().length() <= MAX_IMAGE;
    }

    private static String text(Content block) {
        if (block instanceof Content.Text text) {
            return text.text();
        }
        if (block instanceof Content.Image image) {
            return "[an image of type %s, left out]".formatted(image.mimeType());
        }
        if (block instanceof Content.Audio audio) {
            return "[audio of type %s, left out]".formatted(audio.mimeType());
        }
        var members = ((Content.Other) block).members();
        if (members.get("resource") instanceof Map<?, ?> resource) {
            return resource.get("text") instanceof String text
                    ? text
                    : "[the resource %s, binary, left out]".formatted(resource.get("uri"));
        }
        return members.get("uri") instanceof String uri
                ? "[the resource %s]".formatted(uri)
                : "[a block of type %s, left out]".formatted(block.type());
    }

    /** The structured content where there is no other. */
    private static Content other(ToolResult result, int maxLength) {
        var structured = result.structuredContent();
        var text = structured == null
                ? result.isError() ? "The tool failed and said nothing." : "The tool returned nothing."
                : Json.of(structured).text();
        return within(text, maxLength);
    }

    /** The text, cut after {@code maxLength} characters. */
    static Content within(String text, int maxLength) {
        return text.length() > maxLength ? cut(text, maxLength) : new Content.Text(text);
    }

    private static Content cut(String text, int length) {
        var end = length > 0 && Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
        return new Content.Text(text.substring(0, end)
                + "\n[The text is cut here, %d characters are missing. Ask for less.]".formatted(text.length() - end));
    }

    /** What a failure means for the model. */
    static String of(Throwable failure) {
        if (failure instanceof CancellationException) {
            return UNKNOWN.formatted("No answer came in time.");
        }
        if (!(failure instanceof BridgeException known)) {
            return UNKNOWN.formatted(
                    "The call failed: %s.".formatted(failure.getClass().getSimpleName()));
        }
        var reason = "The call failed: %s.".formatted(known.getMessage());
        if (known.code() == ErrorCode.IN_DOUBT || known.delivery() == Delivery.UNKNOWN) {
            return known.failure().isHarmless() ? reason + " You may call the tool again." : UNKNOWN.formatted(reason);
        }
        if (known.delivery() == Delivery.ANSWERED) {
            return reason;
        }
        return reason + " The tool did not run." + (known.retryable() ? " You may try again later." : "");
    }
}
