description = "Tests across modules; not published."

dependencies {
    testImplementation(project(":cli"))
    testImplementation(project(":gateway"))
    testImplementation(project(":testkit"))
    testImplementation(libs.mcp.sdk)
    testImplementation(libs.tomcat.embed.core)
    testImplementation(libs.slf4j.nop)
}

// Where there is no npm or no registry, the tests that need these packages say so and are skipped.
val installPeers = tasks.register<Exec>("installPeers") {
    description = "Installs the npm packages that the tests run beside the bridge."
    workingDir = file("peers")
    commandLine("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    isIgnoreExitValue = true
    inputs.files("peers/package.json", "peers/package-lock.json")
    outputs.file("peers/node_modules/.package-lock.json")
    onlyIf("npm is on the PATH") {
        System.getenv("PATH").orEmpty().split(File.pathSeparator).any { File(it, "npm").canExecute() }
    }
}

tasks.test {
    dependsOn(installPeers)
}
