description = "Retry policies, budget, breaker, limits, coalescing and caching, as stages."

dependencies {
    api(project(":core"))
    testImplementation(project(":engine"))
    testImplementation(project(":testkit"))
}
