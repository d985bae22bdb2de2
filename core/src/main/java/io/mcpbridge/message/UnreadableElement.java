package io.mcpbridge.message;

/**
 * An element of a list in an answer that is no JSON that can be read, in whose place the message has {@code null}, or
 * {@code 0} where there is no room for that.
 *
 * @param list the member of the result that is the list, such as {@code tools}
 * @param index its place there, from 0 on
 * @param key what it is asked for by, such as its name; empty where that cannot be read either, or is longer than 1,024 bytes
 * @param why what is wrong with it, in words
 */
public record UnreadableElement(String list, int index, String key, String why) {}
