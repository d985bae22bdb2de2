/**
 * The sink {@code jdbc}: a trail in a table of PostgreSQL or SQLite.
 *
 * <p>Start with {@link io.mcpbridge.audit.jdbc.JdbcAuditSinks}, which takes a {@code DataSource}. {@code
 * JdbcTrailStore} is its store and replaces a {@code LockedTrail} that breaks; {@code SqlDialect} has the SQL that
 * differs between databases. {@link io.mcpbridge.audit.jdbc.JdbcTrailVerifier} reads a trail and checks its chain.
 *
 * <p>Uses {@code record}, {@code internal}, {@code otel} for its mirror setting, {@code core}, {@code support} and
 * {@code java.sql}; the driver is on the class path of the user.
 */
@NullMarked
package io.mcpbridge.audit.jdbc;

import org.jspecify.annotations.NullMarked;
