package io.mcpbridge.testkit.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Marks a contract: its tests end in time, also those of a wrong plug-in, and leave nothing behind. */
@Timeout(60)
@ExtendWith({ReleaseCheck.class, HangingTests.class})
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface Contract {}
