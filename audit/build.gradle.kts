description = "Audit sinks: hash-chained JSONL file, JDBC, and the verifier."

dependencies {
    api(project(":core"))
    testImplementation(project(":testkit"))
}
