import Testing

/// The scenarios in `Tests/Scenarios/imports` and `intake`. Adding one needs no Swift.
@Suite struct ImportScenarioTests {
    @Test("every scenario file can be read, and there are many")
    func files() throws {
        let all = ImportScenario.imports + ImportScenario.intake
        for case .failure(let fault) in all { Issue.record("\(fault)") }
        #expect(ImportScenario.imports.count >= 45)
        #expect(ImportScenario.intake.count >= 20)
    }

    @Test(
        "import scenarios meet their expectations",
        arguments: ImportScenario.imports.compactMap { try? $0.get() })
    func plays(_ scenario: ImportScenario) throws {
        try ScenarioRun(scenario).play()
    }

    @Test(
        "scenarios of devices and exports meet their expectations",
        arguments: ImportScenario.intake.compactMap { try? $0.get() })
    func playsIntake(_ scenario: ImportScenario) throws {
        try ScenarioRun(scenario).play()
    }
}
