import Testing

@testable import HealthStorage

@Suite struct PreferenceTests {
    @Test("a preference is kept until it is removed")
    func roundTrip() throws {
        let folder = try TemporaryStore()
        let store = try folder.open(.creating)
        #expect(try store.value(of: .summaryCards) == nil)
        try store.set(.summaryCards, to: "[]")
        try store.set(.sleepGoal, to: "450")
        #expect(try store.value(of: .summaryCards) == "[]")
        try store.set(.summaryCards, to: #"["rings"]"#)
        #expect(try store.value(of: .summaryCards) == #"["rings"]"#)
        try store.set(.summaryCards, to: nil)
        #expect(try store.value(of: .summaryCards) == nil)
        #expect(try store.value(of: .sleepGoal) == "450")
    }

    @Test("a preference that is too long is refused, and the one before stays")
    func limit() throws {
        let folder = try TemporaryStore()
        let store = try folder.open(.creating)
        let longest = String(repeating: "é", count: SampleStore.maximumPreferenceLength / 2)
        try store.set(.summaryCards, to: longest)
        let error = #expect(throws: StoreError.self) {
            try store.set(.summaryCards, to: longest + "a")
        }
        #expect(error?.code == .invalidArgument)
        #expect(try store.value(of: .summaryCards) == longest)
    }
}
