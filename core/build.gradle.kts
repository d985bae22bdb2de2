description = "Messages, eras, extension points, the call engine and the front door."

dependencies {
    implementation(libs.jackson.databind)
}
