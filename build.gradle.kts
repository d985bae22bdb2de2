import com.diffplug.gradle.spotless.SpotlessExtension

buildscript {
    repositories {
        mavenCentral()
    }
    dependencies {
        classpath("com.diffplug.spotless:spotless-plugin-gradle:8.11.0")
    }
}

plugins {
    base
}

// What every module has.
configure(subprojects.filter { it.name != "bom" }) {
    apply(plugin = "java-library")
    apply(plugin = "com.diffplug.spotless")

    dependencies {
        "implementation"(platform(rootProject.libs.jackson.bom))
        "implementation"(platform(rootProject.libs.junit.bom))
        "implementation"(platform(rootProject.libs.netty.bom))
        "implementation"(platform(rootProject.libs.slf4j.bom))
        "api"(rootProject.libs.jspecify)
        "compileOnly"(rootProject.libs.errorprone.annotations)
        "testCompileOnly"(rootProject.libs.errorprone.annotations)
        "testImplementation"(rootProject.libs.junit.jupiter)
        "testImplementation"(rootProject.libs.assertj.core)
        "testImplementation"(rootProject.libs.awaitility)
        "testRuntimeOnly"(rootProject.libs.junit.platform.launcher)
        "annotationProcessor"(rootProject.libs.errorprone.core)
        "annotationProcessor"(rootProject.libs.nullaway)
        "testAnnotationProcessor"(rootProject.libs.errorprone.core)
        "testAnnotationProcessor"(rootProject.libs.nullaway)
    }

    tasks.withType<JavaCompile>().configureEach {
        options.release = 17
        options.encoding = "UTF-8"
        options.compilerArgs.addAll(
            listOf(
                // A provider's constructor without arguments is the default one.
                "-Xlint:all,-processing,-missing-explicit-ctor",
                "-Werror",
                "-XDcompilePolicy=simple",
                "--should-stop=ifError=FLOW",
                "-XDaddTypeAnnotationsToSymbol=true",
                // The default generates a class at run time for each kind of concatenation, which slows the start.
                "-XDstringConcat=inline",
                "-Xplugin:ErrorProne -XepExcludedPaths:.*/generated/sources/.*" +
                    " -Xep:NullAway:ERROR -XepOpt:NullAway:OnlyNullMarked=true" +
                    " -XepOpt:NullAway:ExcludedFieldAnnotations=picocli.CommandLine.ArgGroup,picocli.CommandLine.Mixin,picocli.CommandLine.Option,picocli.CommandLine.Parameters,picocli.CommandLine.Spec",
            ),
        )
        // Error Prone needs the inside of the compiler, which the same options open for Maven.
        options.isFork = true
        options.forkOptions.jvmArgs = rootProject.file(".mvn/jvm.config").readLines()
    }

    tasks.withType<Test>().configureEach {
        useJUnitPlatform()
        // Otherwise each answer of the JDK's server, which tests use, comes 40 ms late.
        systemProperty("sun.net.httpserver.nodelay", "true")
        // Daemons in processes of their own leave no files in the home folder.
        environment("XDG_STATE_HOME", layout.buildDirectory.dir("state").get().asFile.path)
    }

    tasks.withType<Jar>().configureEach {
        archiveBaseName = "mcp-bridge-" + project.name
        metaInf { from(rootProject.file("LICENSE")) }
        manifest.attributes("Implementation-Version" to project.version)
    }

    tasks.withType<AbstractArchiveTask>().configureEach {
        isPreserveFileTimestamps = false
        isReproducibleFileOrder = true
    }

    configure<SpotlessExtension> {
        java {
            palantirJavaFormat(rootProject.libs.versions.palantir.java.format.get())
        }
    }
}

// The same modules as in bom/build.gradle.kts, and the BOM itself.
val unpublished = setOf("examples", "benchmarks", "architecture-tests", "integration-tests", "docs")

configure(subprojects.filter { it.name !in unpublished }) {
    apply(plugin = "maven-publish")

    plugins.withId("java-library") {
        configure<JavaPluginExtension> {
            // Only then, since the tool that makes the pages takes longer than the compiler.
            if (providers.gradleProperty("release").isPresent) {
                withSourcesJar()
                withJavadocJar()
            }
        }
    }

    tasks.withType<Javadoc>().configureEach {
        (options as StandardJavadocDocletOptions).addBooleanOption("Xdoclint:all,-missing", true)
    }

    configure<PublishingExtension> {
        repositories {
            maven {
                name = "folder"
                url = uri(providers.gradleProperty("repository").getOrElse("build/repository"))
            }
        }
        publications.create<MavenPublication>("maven") {
            artifactId = "mcp-bridge-" + project.name
            pom {
                name = artifactId
                description = provider { project.description }
                url = "https://github.com/mcpbridge/mcp-bridge-java"
                licenses {
                    license {
                        name = "Apache-2.0"
                        url = "https://www.apache.org/licenses/LICENSE-2.0.txt"
                    }
                }
                developers {
                    developer {
                        name = "The authors of MCP Bridge for Java"
                        url = "https://github.com/mcpbridge"
                    }
                }
                scm {
                    connection = "scm:git:https://github.com/mcpbridge/mcp-bridge-java.git"
                    developerConnection = "scm:git:ssh://git@github.com/mcpbridge/mcp-bridge-java.git"
                    url = "https://github.com/mcpbridge/mcp-bridge-java"
                }
            }
        }
        components.matching { it.name == "java" || it.name == "javaPlatform" }.all {
            publications.named<MavenPublication>("maven") { from(this@all) }
        }
    }
}
