description = "Tool catalog pinned by mcp.lock: filters, search, schema checks with budgets."

dependencies {
    api(project(":core"))
    implementation(libs.json.schema.validator)
    implementation(libs.jackson.databind)
    testImplementation(project(":testkit"))
}
