// Sources told apart by what they are, and names only shown.
import HealthKit
import SwiftUI

struct SourceRow: View {
    let source: HKSource
    let total: Double

    var body: some View {
        HStack {
            Text(source.name)
            Spacer()
            Text(total, format: .number)
        }
    }
}

struct SourceChoice {
    func fromWatch(_ samples: [HKSample]) -> [HKSample] {
        samples.filter { $0.sourceRevision.productType?.hasPrefix("Watch") == true }
    }

    func fromApple(_ sources: Set<HKSource>) -> Set<HKSource> {
        sources.filter { $0.bundleIdentifier.hasPrefix("com.apple.health") }
    }

    func own(_ sample: HKSample) -> Bool {
        sample.sourceRevision.source == HKSource.default()
    }

    func titles(_ samples: [HKSample]) -> [String] {
        Array(Set(samples.map(\.sourceRevision.source.name))).sorted()
    }

    func byIdentifier(_ samples: [HKQuantitySample]) -> [String: [HKQuantitySample]] {
        Dictionary(grouping: samples, by: \.sourceRevision.source.bundleIdentifier)
    }

    func alphabetical(_ sources: Set<HKSource>) -> [HKSource] {
        sources.sorted { $0.name < $1.name }
    }

    func subtitle(_ sample: HKSample) -> String {
        let name = sample.sourceRevision.source.name
        return name.isEmpty ? "Unknown source" : "from \(name)"
    }
}
