description = "OpenTelemetry spans, metrics and context propagation, as a call observer."

dependencies {
    api(project(":core"))
    api(libs.opentelemetry.api)
    testImplementation(project(":engine"))
    testImplementation(project(":testkit"))
    testImplementation(libs.opentelemetry.sdk.testing)
}

// Not a module-info.java, since a library it uses has none.
tasks.jar {
    manifest.attributes("Automatic-Module-Name" to "io.mcpbridge.telemetry")
}
