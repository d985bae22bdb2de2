description = "Contract suites of the extension points, fakes, a scripted faulty server and a fault proxy."

dependencies {
    api(project(":core"))
    api(libs.junit.jupiter)
    api(libs.assertj.core)

    testImplementation(libs.junit.platform.launcher)
}
