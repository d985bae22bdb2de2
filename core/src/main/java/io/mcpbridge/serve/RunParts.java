package io.mcpbridge.serve;

import io.mcpbridge.call.Timekeeper;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What the calls of a server need to run.
 *
 * @param trail where they are recorded
 * @param threads their own, which may wait
 * @param clock monotonic nanoseconds, for the record
 * @param timekeeper for the patience with which clients are asked
 */
record RunParts(AuditTrail trail, Executor threads, LongSupplier clock, Timekeeper timekeeper) {}
