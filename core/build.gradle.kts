description = "Messages, values, failures and the extension points."

dependencies {
    implementation(libs.jackson.core)
    // What embedders write results with.
    testImplementation(libs.jackson.databind)
    testImplementation(libs.jackson3.databind)
    testImplementation(libs.gson)
}
