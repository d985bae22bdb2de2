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
    }

    tasks.withType<Jar>().configureEach {
        archiveBaseName = "mcp-bridge-" + project.name
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
