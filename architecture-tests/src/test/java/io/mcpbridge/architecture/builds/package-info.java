/**
 * Compares the Maven build with the Gradle build.
 *
 * <p>Start at {@link io.mcpbridge.architecture.builds.TwoBuildsTest}. {@code MavenBuild} and {@code
 * GradleBuild} read the files of one build each into a {@code Build}; {@code BuildComparison} lists
 * how two of them differ. The build files are read as text, so nothing is resolved or run.
 *
 * <p>May use the JDK only.
 */
@NullMarked
package io.mcpbridge.architecture.builds;

import org.jspecify.annotations.NullMarked;
