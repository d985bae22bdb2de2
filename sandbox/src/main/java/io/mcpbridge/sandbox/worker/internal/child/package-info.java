/**
 * What runs inside a worker, which is a process of its own.
 *
 * <p>Start at {@link io.mcpbridge.sandbox.worker.internal.child.WorkerMain}. The pool knows this package by the name of
 * that class alone.
 *
 * <p>Uses {@code frame}, the interfaces of a tool, and the JDK; results are made plain by {@code core}.
 */
@NullMarked
package io.mcpbridge.sandbox.worker.internal.child;

import org.jspecify.annotations.NullMarked;
