import Foundation
import HealthTesting
import Testing

/// An export of FHIR, checked by `Tests/Fixtures/fhir/validate.py` with Python's `fhir.resources`.
struct FHIRValidation {
    private let output: Data

    static let script = ProjectFiles.fixtures.appendingPathComponent("fhir/validate.py")

    /// - Parameter broken: An element that is removed from the first vital sign before the checks.
    init(_ path: String, broken: String? = nil) throws {
        let python = try #require(Python.withFHIR)
        let text = try Python.run(
            script: Self.script, [path] + (broken.map { [$0] } ?? []), by: python)
        output = Data(text.utf8)
        try #require(!object.isEmpty)
    }

    /// What the program found, parsed at each access.
    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: output)) as? [String: Any] ?? [:]
    }

    var problems: [String] { object["problems"] as? [String] ?? ["no answer"] }
    var counts: [String: Int] { object["counts"] as? [String: Int] ?? [:] }
    /// How often each check ran, by name.
    var checks: [String: Int] { object["checks"] as? [String: Int] ?? [:] }
    var ids: [String] { object["ids"] as? [String] ?? [] }
    /// The totals of days by type and start.
    var totals: [String: [String: Double]] {
        object["totals"] as? [String: [String: Double]] ?? [:]
    }
    var observations: [[String: Any]] { object["observations"] as? [[String: Any]] ?? [] }
    var patient: [String: Any] { object["patient"] as? [String: Any] ?? [:] }

    /// Returns the Observations with HealthKit's identifier of a type.
    func observations(of type: String) -> [[String: Any]] {
        observations.filter { observation in
            let coding = (observation["code"] as? [String: Any])?["coding"] as? [[String: Any]]
            return coding?.contains { $0["code"] as? String == type } == true
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test if Python's `fhir.resources` is missing.
    static var validatedAsFHIR: Self {
        .enabled(
            if: Python.withFHIR != nil,
            "Python with fhir.resources is missing: Tools/setup brings it into .build/python-fhir.")
    }
}
