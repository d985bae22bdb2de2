package io.mcpbridge.guice;

import static java.lang.annotation.ElementType.FIELD;
import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.PARAMETER;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import com.google.inject.BindingAnnotation;
import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/** Marks the {@link java.nio.file.Path} of the configuration file. */
@BindingAnnotation
@Documented
@Retention(RUNTIME)
@Target({FIELD, METHOD, PARAMETER})
public @interface ConfigurationFile {}
