package io.mcpbridge.tool;

/**
 * What is said about repeating a tool; only as trustworthy as whoever said it.
 *
 * @param readOnly it changes nothing
 * @param destructive it may destroy something; means nothing where {@code readOnly}
 * @param idempotent calling it twice with the same arguments is like calling it once
 * @param openWorld it reaches beyond its server
 * @param declared whether anybody said so, rather than the defaults of the specification
 */
public record ToolHints(
        boolean readOnly, boolean destructive, boolean idempotent, boolean openWorld, boolean declared) {

    /** The defaults of the specification, which assume the worst. */
    public static final ToolHints UNDECLARED = new ToolHints(false, true, false, true, false);

    /** Whether a call that may have run may be run again. */
    public boolean allowsRepeating() {
        return readOnly || idempotent;
    }
}
