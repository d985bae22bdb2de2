package io.mcpbridge.tool;

/**
 * The hints of a server or of the operator on whether a tool may be repeated. Only as trustworthy as their source.
 *
 * @param readOnly the tool changes nothing
 * @param destructive the tool may delete or overwrite data; meaningless if {@code readOnly}
 * @param idempotent calling the tool twice with the same arguments has the effect of one call
 * @param openWorld the tool accesses systems outside of its server
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
