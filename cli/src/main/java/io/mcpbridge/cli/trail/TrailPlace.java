package io.mcpbridge.cli.trail;

import java.nio.file.Path;

/** A place in a trail where a line begins: a segment and how many bytes of it stand before. */
record TrailPlace(Path segment, long offset) {}
