plugins {
    application
}

description = "The mcp-bridge command."

application {
    applicationName = "mcp-bridge"
    mainClass = "io.mcpbridge.cli.Main"
}

dependencies {
    implementation(project(":gateway"))
    implementation(project(":agents"))
    implementation(project(":audit"))
    implementation(libs.picocli)
    implementation(libs.opentelemetry.sdk.autoconfigure)
    // Brings OkHttp and Kotlin.
    runtimeOnly(libs.opentelemetry.exporter.otlp) { exclude(module = "opentelemetry-exporter-sender-okhttp") }
    runtimeOnly(libs.opentelemetry.exporter.sender.jdk)
    runtimeOnly(libs.slf4j.jdk14)
    testImplementation(project(":testkit"))
}

tasks.named<Test>("test") {
    // Many of these tests wait for children: two JVMs at a time share the classes.
    maxParallelForks = 2
}
