// Names for people: shown, sorted, checked for being empty; and an icon by name.
import HealthKit

struct SourceList {
    let sources: [HKSource]
    let own = HKSource.default()

    var titles: [String] {
        sources.map { $0.name.isEmpty ? "Unnamed" : $0.name }.sorted()
    }

    func icon(for source: HKSource) -> String {
        source.name.contains("Watch") ? "applewatch" : "iphone"
    }

    func others() -> [HKSource] { sources.filter { $0 != own } }

    func named() -> [HKSource] { sources.filter { $0.name != "" } }

    func log(_ sample: HKSample) {
        let name = sample.sourceRevision.source.name
        print("from \(name)")
    }

    func totals(_ samples: [HKQuantitySample]) -> [String: Int] {
        samples.reduce(into: [:]) { $0[$1.sourceRevision.source.name, default: 0] += 1 }
    }
}

struct Feed {
    struct Source { let name: String }
    let source: Source
    let sources: [Source]

    func isOurs() -> Bool { source.name == "Blog" }
    func ours() -> [Source] { sources.filter { $0.name.hasPrefix("Blog") } }
}
