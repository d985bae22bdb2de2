package io.mcpbridge.tool;

/**
 * What is said about repeating a tool; only as trustworthy as whoever said it.
 *
 * @param readOnly it changes nothing
 * @param destructive it may destroy something; means nothing where {@code readOnly}
 * @param idempotent calling it twice with the same arguments is like calling it once
 * @param openWorld it reaches beyond its server
 * @param source who said so
 */
public record ToolHints(boolean readOnly, boolean destructive, boolean idempotent, boolean openWorld, Source source) {

    /** Who says what a tool does. */
    public enum Source {
        /** Nobody: these are the defaults of the specification. */
        NOBODY,
        /** The tool's own server, whose word may only make us more careful. */
        SERVER,
        /** A server that the operator calls trusted. */
        TRUSTED,
        /** The operator, in the configuration. */
        OPERATOR
    }

    /** The defaults of the specification, which assume the worst. */
    public static final ToolHints UNDECLARED = new ToolHints(false, true, false, true, Source.NOBODY);

    /** Whether anybody said so, rather than the defaults of the specification. */
    public boolean declared() {
        return source != Source.NOBODY;
    }

    /** Whether a call that may have run may be run again. */
    public boolean allowsRepeating() {
        return readOnly || idempotent;
    }

    /** What may be relied on: these hints if they are trusted, else the defaults of the specification. */
    public ToolHints believed() {
        return source == Source.TRUSTED || source == Source.OPERATOR ? this : UNDECLARED;
    }

    /** The same, said by a server that the operator calls trusted; what nobody said stays so. */
    public ToolHints asTrusted() {
        return declared() ? new ToolHints(readOnly, destructive, idempotent, openWorld, Source.TRUSTED) : this;
    }
}
