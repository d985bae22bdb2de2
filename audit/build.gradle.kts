description = "Audit sinks: hash-chained JSONL file, JDBC, and the verifier."

dependencies {
    api(project(":core"))
    api(project(":support"))
    implementation(libs.jackson.core)
    compileOnly(libs.opentelemetry.api)
    testImplementation(project(":server"))
    testImplementation(project(":testkit"))
    testImplementation(libs.opentelemetry.sdk.testing)
    testImplementation(libs.embedded.postgres)
    testImplementation(libs.postgresql)
    // PostgreSQL's classes name its annotations, which its POM has for run time only.
    testCompileOnly(libs.checker.qual)
    testImplementation(libs.slf4j.nop)
    testImplementation(libs.testcontainers.postgresql)
    testImplementation(libs.sqlite.jdbc)
}

tasks.named<Test>("test") {
    // Many of these tests wait for databases and children: two JVMs at a time share the classes.
    maxParallelForks = 2
}
