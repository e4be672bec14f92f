import Testing

/// The scenarios in `Tests/Scenarios/imports`. Adding one needs no Swift.
@Suite struct ImportScenarioTests {
    @Test("every scenario file can be read, and there are many")
    func files() throws {
        for case .failure(let fault) in ImportScenario.all { Issue.record("\(fault)") }
        #expect(ImportScenario.all.count >= 45)
    }

    @Test(
        "import scenarios meet their expectations",
        arguments: ImportScenario.all.compactMap { try? $0.get() })
    func plays(_ scenario: ImportScenario) throws {
        try ScenarioRun(scenario).play()
    }
}
