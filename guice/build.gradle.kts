description = "Binds core and the providers found, for embedders who use Guice."

dependencies {
    api(project(":engine"))
    api(libs.guice)
    // Newer than the one that Guice brings.
    api(libs.guava)
    testImplementation(project(":testkit"))
}

// Not a module-info.java, since a library it uses has none.
tasks.jar {
    manifest.attributes("Automatic-Module-Name" to "io.mcpbridge.guice")
}
