package io.mcpbridge.translate;

import io.mcpbridge.message.JsonText;

/** Results that say in words why a tool could not do its work, so that the model which called it can read them. */
final class Explained {

    private Explained() {}

    static String toolError(String words) {
        return "{\"content\":[{\"type\":\"text\",\"text\":" + JsonText.quote(words) + "}],\"isError\":true}";
    }
}
