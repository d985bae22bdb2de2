/**
 * One server behind the bridge, with its connections.
 *
 * <p>Start at {@link io.mcpbridge.upstream.Upstream}, the handler that the router hands calls to. It keeps an
 * {@code UpstreamSession} per kind of caller; a session opens its transport and matches answers to calls. Features of a
 * server have packages of their own, which do not know this one: {@code introduction} finds its era, {@code listening}
 * hears what it tells unasked, {@code seats} keeps clients apart in its sessions, {@code admission} is what every call
 * passes, {@code toolcalls} gives calls of tools processes of their own out of the pool of {@code isolation}. {@code
 * lists}, what it has, stands above.
 *
 * <p>The way of one call, whose answer goes back through the same replies:
 *
 * <pre>{@code
 * stages ─► Upstream ─┬─► Seating ──────► SessionSlot ──────────────────┬─► UpstreamSession ─► Transport ─► server
 *           (tools?)  │   (whose seat)    (waits until it is ready)     │   (id, dialect)      (bytes)        │
 *                     └─► ToolCalls ────► ChildPool ─► IsolatedRun ─────┘                                     │
 *                         (if isolated)   (waits for a process)             reply ◄─ Incoming ◄─ Receiver ◄───┘
 * }</pre>
 *
 * Whoever takes a call enters it once into the server's {@code CallQueue}, asks {@code CallAdmission}, and has it wait as a
 * {@code QueuedCall} for what is missing; the place is left when the transport has written it.
 *
 * <p>Uses {@code pipeline}, {@code era}, {@code spi}, {@code event} and what they use.
 */
@NullMarked
package io.mcpbridge.upstream;

import org.jspecify.annotations.NullMarked;
