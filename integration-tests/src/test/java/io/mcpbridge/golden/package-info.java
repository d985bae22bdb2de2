/**
 * Conversations whose every byte is kept in a file, so that a change of what clients, servers or auditors see is seen
 * in a review.
 *
 * <p>{@link GoldenConversationsTest} plays each conversation with a daemon, scripted clients in front of it and scripted
 * servers behind it, over real sockets, pipes and child processes, and compares what was said with {@code
 * src/test/resources/io/mcpbridge/golden/<name>.txt}. The clock stands still but for what a script says, and random
 * numbers count from 1, those of {@link java.security.SecureRandom} too ({@link CountingSecrets}).
 *
 * <p><b>How to read a file.</b> A file's name says what happens, the era and transport of the client, and those of the
 * server. Each section has what went over one connection; of HTTP servers there is one for each method, and one for
 * the stream and one for the end of each session, since the bridge sends what does not depend on each other over connections
 * of their own. Within a section messages are in order, and the
 * order between sections is not recorded. Lines that begin with {@code bridge} are what the daemon sent, the others what the
 * script sent. Of HTTP there is the first line, each header and the body, without the framing of chunks. The last section is
 * the audit trail, after it has been verified.
 *
 * <p>Placeholders stand for what differs from run to run or from machine to machine: {@code <port>}, {@code <folder>} (of
 * the run), {@code <user>} (the owner of a Unix connection), {@code <version>} (of the bridge), {@code <length>} (of a body,
 * which may hold a version), {@code <hash>} and {@code <size>} (of an error that names a port). The chain's {@code zhash} is
 * shown where no record has a placeholder.
 *
 * <p><b>How to write them anew.</b> Run the test with {@code MCP_BRIDGE_GOLDEN=write} in the environment, read {@code git
 * diff}, and explain each change in the commit.
 *
 * <p>Only {@link GoldenDaemon} knows types of the engine, so that the engine can be rewritten beneath these tests.
 */
@NullMarked
package io.mcpbridge.golden;

import org.jspecify.annotations.NullMarked;
