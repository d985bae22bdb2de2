description = "Tests across modules; not published."

dependencies {
    testImplementation(project(":cli"))
    testImplementation(project(":audit"))
    testImplementation(project(":gateway"))
    testImplementation(project(":telemetry"))
    testImplementation(project(":server"))
    testImplementation(project(":testkit"))
    testImplementation(project(":workers"))
    testImplementation(project(":guice"))
    testImplementation(project(":sdk"))
    testImplementation(libs.opentelemetry.sdk.testing)
    testImplementation(libs.opentelemetry.proto)
    testImplementation(libs.mcp.sdk)
    testImplementation(libs.tomcat.embed.core)
}

// Where there is no npm or no registry, the tests that need these packages say so and are skipped.
val installs = listOf("peers", "conformance").map { folder ->
    tasks.register<Exec>("install${folder.replaceFirstChar(Char::uppercase)}") {
        description = "Installs the npm packages of '$folder' that the tests run beside the bridge."
        workingDir = file(folder)
        commandLine("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
        isIgnoreExitValue = true
        inputs.files("$folder/package.json", "$folder/package-lock.json")
        outputs.file("$folder/node_modules/.package-lock.json")
        onlyIf("npm is on the PATH") {
            System.getenv("PATH").orEmpty().split(File.pathSeparator).any { File(it, "npm").canExecute() }
        }
    }
}

tasks.test {
    dependsOn(installs)
    // More than half of their time these tests wait: three JVMs at a time share the classes.
    maxParallelForks = 3
}
