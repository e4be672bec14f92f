import Foundation
import HealthSync
import HealthTesting
import OpenHealthKit
import Testing

/// The example of Documentation/Sync.md.
@Suite struct SyncedWeightsTests {
    @Test("the code equals the example in the document")
    func document() throws {
        let root = ProjectFiles.fixtures.deletingLastPathComponent().deletingLastPathComponent()
        let document = try String(
            contentsOf: root.appendingPathComponent("Documentation/Sync.md"), encoding: .utf8)
        let example = root.appendingPathComponent("Tests/ClientTests/Mirrors/SyncedWeights.swift")
        let code = try String(contentsOf: example, encoding: .utf8)
        #expect(document.contains("```swift\n" + code + "```\n"))
        let lines = code.split(separator: "\n").filter { line in
            let text = line.drop(while: \.isWhitespace)
            return !text.isEmpty && !text.hasPrefix("//") && !text.hasPrefix("import ")
        }
        #expect(lines.count <= 33, "\(lines.count) lines of code")
    }

    @Test("logged samples and those of other apps reach the view")
    func works() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("SyncedWeights-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = HKHealthStore.inMemory()
        let weights = try SyncedWeights(store: store, folder: folder)
        _ = try await weights.start()
        try await weights.connect()
        let mine = try await weights.log(82.4, note: "mine")
        #expect(mine.content == .quantity(82.4, unit: "kg"))
        let scale = store.withIdentity(AppIdentity("com.example.scale", name: "Scale"))
        let mass = HKQuantityType(.bodyMass)
        try await scale.requestAuthorization(toShare: [mass], read: [])
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000)
        try await scale.save(
            HKQuantitySample(
                type: mass, quantity: HKQuantity(unit: .pound(), doubleValue: 180), start: date,
                end: date))
        var names: [String] = []
        for try await entries in weights.latest where entries.count == 2 {
            names = entries.map(\.sourceName)
            break
        }
        #expect(names == [HKSource.default().name, "Scale"])
    }
}
