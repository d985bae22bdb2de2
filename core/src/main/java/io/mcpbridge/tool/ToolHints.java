package io.mcpbridge.tool;

/**
 * Whether a tool may be repeated, as its server or the operator declares it. Only as trustworthy as its source.
 *
 * @param readOnly the tool changes nothing
 * @param destructive it may destroy something; means nothing where {@code readOnly}
 * @param idempotent calling it twice with the same arguments is like calling it once
 * @param openWorld it reaches beyond its server
 * @param source the author of the declaration
 */
public record ToolHints(boolean readOnly, boolean destructive, boolean idempotent, boolean openWorld, Source source) {

    /** The author of a declaration. */
    public enum Source {
        /** No declaration: these are the defaults of the specification. */
        NONE,
        /** The tool's own server. Its hints can only make the bridge more careful. */
        SERVER,
        /** A server that the operator calls trusted. */
        TRUSTED,
        /** The operator, in the configuration. */
        OPERATOR
    }

    /** The defaults of the specification, which assume the worst. */
    public static final ToolHints UNDECLARED = new ToolHints(false, true, false, true, Source.NONE);

    /** Whether there is a declaration, rather than the defaults of the specification. */
    public boolean declared() {
        return source != Source.NONE;
    }

    /** Whether a call that may have run may be run again. */
    public boolean allowsRepeating() {
        return readOnly || idempotent;
    }

    /** These hints if their source is trusted, else the defaults of the specification. */
    public ToolHints believed() {
        return source == Source.TRUSTED || source == Source.OPERATOR ? this : UNDECLARED;
    }

    /** The same hints from a server that the operator trusts; defaults stay defaults. */
    public ToolHints asTrusted() {
        return declared() ? new ToolHints(readOnly, destructive, idempotent, openWorld, Source.TRUSTED) : this;
    }
}
