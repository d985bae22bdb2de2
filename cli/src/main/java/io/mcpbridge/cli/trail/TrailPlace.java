package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.verify.Segment;

/** A place in a trail where a line begins: a segment and how many bytes of it stand before. */
record TrailPlace(Segment segment, long offset) {}
