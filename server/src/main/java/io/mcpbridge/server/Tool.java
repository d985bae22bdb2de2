package io.mcpbridge.server;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method a tool of {@link ToolServer#registerTools}.
 *
 * <p>Its parameters are the arguments, with the types that components of a record may have, and may have a {@link
 * Description}; a parameter of type {@link ToolCall} gets the call. Without other hints, the tool counts as one that
 * writes, may destroy and must not be repeated.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Tool {

    /** The description, for the model of the client. */
    String value() default "";

    /** The name of the tool; by default that of the method in snake case, such as {@code get_issue}. */
    String name() default "";

    /** The title; by default the name. */
    String title() default "";

    /** The names of the arguments, for a class that is compiled without {@code -parameters}. */
    String[] parameters() default {};

    /** Whether the tool changes nothing. */
    boolean readOnly() default false;

    /** Whether the tool may delete or overwrite data. */
    boolean destructive() default true;

    /** Whether two calls with the same arguments have the effect of one. */
    boolean idempotent() default false;

    /** Whether the tool accesses other systems than this program. */
    boolean openWorld() default true;

    /** Whether mode {@link ServerMode#MINIMAL} admits the tool. */
    boolean essential() default false;

    /** Whether its calls may overlap. */
    boolean parallel() default false;

    /** Whether clients get the result in the envelope {@code {"ok":…}}. */
    boolean envelope() default true;

    /** The capabilities without which a mode does not admit the tool. */
    ServerMode.Capability[] needs() default {};
}
