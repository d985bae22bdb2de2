description = "OpenTelemetry spans, metrics and context propagation, as a call observer."

dependencies {
    api(project(":core"))
    api(libs.opentelemetry.api)
    testImplementation(project(":testkit"))
    testImplementation(libs.opentelemetry.sdk.testing)
}
