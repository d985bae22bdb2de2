package io.mcpbridge.config;

/** How clients see the names of tools. */
public enum ToolNaming {
    /** The server's name, two underscores, the tool's name. */
    PREFIX,
    /** The tool's name alone; with one server, or where none clash. */
    PLAIN
}
