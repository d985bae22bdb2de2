package io.mcpbridge.cli.trail;

/**
 * By what a trail is verified.
 *
 * @param keys that its checkpoints may be signed with
 * @param kept the checkpoints that were kept elsewhere
 */
public record TrailProof(TrailKeys keys, KeptCopy kept) {}
