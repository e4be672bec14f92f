import Foundation
import HealthTesting
import Testing

/// `openhealth export --format fhir` of a simulated person.
@Suite(.inTestAll, .validatedAsFHIR) struct FHIRExportTests {
    /// Exports the simulated person and returns the run and the path of the file.
    private static func export(
        _ name: String, _ options: [String] = [], of store: SimulatedStore? = nil
    ) throws -> (run: CommandRun, path: String) {
        let store = try store ?? SimulatedStore.shared.get()
        let path = store.folder.path + "/" + name
        let run = try store.run(
            ["export", "--format", "fhir", "--out", path, "--force", "--json"] + options)
        #expect(run.status == 0, "\(run.errors)")
        return (run, path)
    }

    /// The bundle of the whole store, validated once.
    private static let whole = Result {
        let (run, path) = try export("whole.json")
        return (run: run, path: path, validation: try FHIRValidation(path))
    }

    @Test(
        "both forms are valid, their references resolve, and every element of vital signs is there",
        arguments: ["person.json", "person.ndjson"])
    func valid(name: String) throws {
        let (run, path) = try Self.export(name)
        let validation = try FHIRValidation(path)
        #expect(validation.problems == [])
        let names = ["status", "category", "code", "subject", "effective[x]"]
        for name in names { #expect(validation.checks["vital-signs.\(name)", default: 0] > 100) }
        for name in ["heartrate", "oxygensat", "bodyweight"] {
            for element in ["value", "unit", "system", "code"] {
                #expect(
                    validation.checks["\(name).valueQuantity.\(element)", default: 0] > 0,
                    "\(name) \(element)")
            }
        }
        #expect(validation.checks["bp.component 8480-6", default: 0] > 0)
        #expect(validation.counts["Patient"] == 1)
        #expect(validation.counts["Device", default: 0] > 2)
        #expect(run.object?["observations"] as? Int == validation.counts["Observation"])
        let types = try #require(run.object?["types"] as? [String: Int])
        #expect(types.values.reduce(0, +) == validation.counts["Observation"])
    }

    @Test(
        "the checks of vital signs find a missing element",
        arguments: [
            ("status", "vital-signs.status"), ("category", "vital-signs.category"),
            ("code", "vital-signs.code"), ("subject", "vital-signs.subject"),
            ("effective", "vital-signs.effective[x]"),
            ("valueQuantity", "vital-signs.value[x] or dataAbsentReason"),
        ])
    func broken(element: String, check: String) throws {
        let (_, path) = try Self.export("broken-\(element).json", ["oxygenSaturation"])
        let validation = try FHIRValidation(path, broken: element)
        #expect(validation.problems.contains { $0.hasPrefix(check + ": ") }, "\(validation)")
    }

    @Test("totals of days are those of stats, each with its sources")
    func totals() throws {
        let validation = try Self.whole.get().validation
        let person = try SimulatedStore.shared.get()
        #expect(validation.totals.count == 5)
        for (type, totals) in validation.totals {
            let stats = try person.run(["stats", type, "--json"])
            let buckets = try #require(stats.object?["buckets"] as? [[String: Any]])
            #expect(buckets.count == totals.count, "\(type)")
            for bucket in buckets {
                let start = try #require(bucket["start"] as? String)
                #expect(totals[start] == bucket["sum"] as? Double, "\(type) \(start)")
            }
        }
        let contributions = try #require(validation.object["provenance"] as? [[String]])
        #expect(contributions.allSatisfy { !$0.isEmpty })
        #expect(contributions.contains { $0.count > 1 })
    }

    @Test("nights are those of stats, with their stages")
    func nights() throws {
        let (_, path) = try Self.export("nights.ndjson", ["sleepAnalysis"])
        let validation = try FHIRValidation(path)
        let nights = try #require(validation.object["sleep"] as? [String: [Any]])
        let stats = try SimulatedStore.shared.get().run(["stats", "sleepAnalysis", "--json"])
        let buckets = try #require(stats.object?["buckets"] as? [[String: Any]])
        #expect(buckets.count == nights.count && nights.count > 20)
        for bucket in buckets {
            let day = String(try #require(bucket["start"] as? String).prefix(10))
            let night = try #require(nights[day])
            #expect(night[0] as? Double == bucket["asleep"] as? Double, "\(day)")
            let stages = try #require(night[1] as? [String: Any])
            let expected = try #require(bucket["seconds"] as? [String: Double])
            #expect(stages["sleep-in-bed"] as? Double == bucket["inBed"] as? Double)
            for (name, stage) in [("rem", "REM"), ("core", "Core"), ("deep", "Deep")] {
                #expect(
                    stages["sleep-\(name)"] as? Double == expected["asleep\(stage)"],
                    "\(day) \(name)")
            }
        }
    }

    /// Returns the types and identifiers of all resources, of which each is on a line.
    private static func identifiers(of path: String) throws -> Set<Substring> {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let found = text.matches(of: #/"resourceType":"(\w+)","id":"([-0-9a-f]+)"/#)
            .filter { $0.1 != "Bundle" }.map { $0.0 }
        #expect(found.count == Set(found).count)
        return Set(found)
    }

    @Test("a second export has the same identifiers, in either form")
    func identifiers() throws {
        let first = try Self.identifiers(of: try Self.whole.get().path)
        let lines = try Self.identifiers(of: try Self.export("again.ndjson").path)
        let bundle = try Self.identifiers(of: try Self.export("again.json").path)
        #expect(first == bundle && first == lines && first.count > 1000)
        let other = try SimulatedStore(["--records", "9000", "--seed", "7"])
        let another = try Self.identifiers(of: try Self.export("other.json", of: other).path)
        #expect(another.count == first.count && another.isDisjoint(with: first))
    }

    @Test("amounts are written as recorded only on demand, and say so")
    func recorded() throws {
        let merged = try FHIRValidation(try Self.export("merged.json", ["stepCount"]).path)
        let all = try FHIRValidation(
            try Self.export("recorded.json", ["stepCount", "--recorded"]).path)
        let (few, many) = (
            try #require(merged.object["methods"] as? [String: Int]),
            try #require(all.object["methods"] as? [String: Int])
        )
        #expect(few["recorded"] == nil && many["merged"] == few["merged"])
        let samples = try SimulatedStore.shared.get().run(["types", "--json"])
        let types = try #require(samples.object?["types"] as? [[String: Any]])
        let steps = types.first { $0["type"] as? String == "HKQuantityTypeIdentifierStepCount" }
        #expect(many["recorded"] == steps?["samples"] as? Int)
        #expect(all.problems == [] && all.totals == merged.totals)
    }

    @Test("what has no code is listed with its count")
    func unmapped() throws {
        let (run, path, _) = try Self.whole.get()
        let missing = try #require(run.object?["notMapped"] as? [[String: Any]])
        let codes = try #require(missing.first { $0["what"] as? String == "codes" })
        let names = try #require(codes["names"] as? [String])
        #expect(names.contains("sleep-night") && names.contains("workout"))
        #expect(!names.contains("heartRate") && !names.contains("stepCount"))
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let observations = text.split(separator: "\n").filter {
            $0.contains("\"resourceType\":\"Observation\"")
        }
        let without = observations.count { line in
            let code = line.split(separator: "\"code\":{\"coding\":[", maxSplits: 1).last ?? ""
            return !code.hasPrefix("{\"system\":\"http://loinc.org\"")
        }
        #expect(codes["count"] as? Int == without)
        let losses = try #require(run.object?["notHeld"] as? [[String: Any]])
        // The Watch writes day totals of energy, so it is excluded from sums.
        let excluded = try #require(
            losses.first { $0["what"] as? String == "excludedSources" })
        let types = try SimulatedStore.shared.get().run(["types", "--json"])
        let all = try #require(types.object?["types"] as? [[String: Any]])
        let energies = all.filter { ($0["type"] as? String)?.hasSuffix("EnergyBurned") == true }
        #expect(
            excluded["count"] as? Int
                == energies.compactMap { $0["samples"] as? Int }.reduce(0, +))
        #expect((excluded["names"] as? [String])?.count == 2)
        #expect(losses.contains { $0["what"] as? String == "routes" })
        #expect(losses.contains { $0["what"] as? String == "types" })
    }

    @Test("options that don't fit are refused, and standard output is a bundle")
    func options() throws {
        let person = try SimulatedStore.shared.get()
        let fhir = ["export", "--format", "fhir", "--out", "-"]
        #expect(try person.run(fhir + ["--merged"]).status == 64)
        let csv = ["export", "--format", "csv", "--out", "-", "--recorded"]
        #expect(try person.run(csv).status == 64)
        let run = try person.run(fhir + ["bodyMass"])
        #expect(run.object?["resourceType"] as? String == "Bundle")
    }

    @Test("ten times the samples take no more than a little more memory")
    func memory() throws {
        func peak(_ store: SimulatedStore) throws -> Int {
            let program = """
                import resource, subprocess, sys
                subprocess.run(sys.argv[1:], check=True, stderr=subprocess.DEVNULL)
                print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
                """
            let output = try Python.run(
                program,
                [
                    CommandRun.executable.path, "export", "--store", store.path, "--format",
                    "fhir", "--out", store.folder.path + "/memory.ndjson", "--force",
                ])
            return try #require(Int(output))
        }
        let few = try peak(try SimulatedStore.shared.get())
        let many = try peak(try SimulatedStore(["--records", "90000", "--seed", "7"]))
        #expect(many < few + 60, "\(few) MB and \(many) MB")
    }
}
