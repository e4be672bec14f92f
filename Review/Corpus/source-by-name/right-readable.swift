// Names for people to read: lists, symbols, totals by source; and names of other things.
import HealthKit
import SwiftUI

struct SourceRow: View {
    let source: HKSource
    let device: HKDevice

    var body: some View {
        Label(source.name, systemImage: source.name.contains("Watch") ? "applewatch" : "iphone")
    }

    static func symbol(for source: HKSource) -> String {
        if source.name.hasPrefix("iPad") { return "ipad" }
        return "iphone"
    }
}

struct Playlist {
    struct Source { var name: String }
    var sources: [Source]
    var source: Source

    func local() -> [Source] { sources.filter { $0.name == "Local" } }
    var isLocal: Bool { source.name == "Local" }
}

func names(in samples: [HKSample]) -> [String] {
    var names: [String] = []
    for sample in samples {
        let name = sample.sourceRevision.source.name
        if !names.contains(name) { names.append(name) }
    }
    return names
}

func totals(_ statistics: HKStatistics) -> [String: Double] {
    var totals: [String: Double] = [:]
    for source in statistics.sources ?? [] where !source.name.isEmpty {
        totals[source.name] = statistics.sumQuantity(for: source)?.doubleValue(for: .count())
    }
    return totals
}
