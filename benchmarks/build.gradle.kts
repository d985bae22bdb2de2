description = "JMH benchmarks; not published."

dependencies {
    implementation(project(":core"))
    implementation(libs.jmh.core)
    annotationProcessor(libs.jmh.generator.annprocess)
}
