description = "Messages, values, failures and the extension points."

dependencies {
    implementation(libs.jackson.core)
}
