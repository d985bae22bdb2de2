/**
 * The sink {@code jdbc}: a trail in a table of PostgreSQL or SQLite.
 *
 * <p>{@link io.mcpbridge.audit.jdbc.JdbcAuditSink} is the front; a program hands it its own {@code DataSource}, the
 * configuration an address. {@code TrailWriter} is the one thread that writes, in groups, through a
 * {@code TrailConnection}, which is replaced when it breaks. What the databases do each in its own way is in their
 * {@code Dialect}. {@link io.mcpbridge.audit.jdbc.JdbcTrailVerifier} reads a trail and checks its chain.
 *
 * <p>Uses {@code record}, {@code internal}, {@code core} and {@code java.sql}; drivers are brought by whoever uses it.
 */
@NullMarked
package io.mcpbridge.audit.jdbc;

import org.jspecify.annotations.NullMarked;
