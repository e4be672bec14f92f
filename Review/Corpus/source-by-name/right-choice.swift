// Which source wins is the person's list of identifiers; names are labels and icons.
import HealthKit
import SwiftUI

struct Priority: Codable {
    var identifiers: [String]

    func rank(_ sample: HKSample) -> Int {
        identifiers.firstIndex(of: sample.sourceRevision.source.bundleIdentifier) ?? .max
    }

    func winner(_ samples: [HKSample]) -> HKSample? {
        samples.min { rank($0) < rank($1) }
    }
}

struct PriorityList: View {
    @Binding var priority: Priority
    let sources: [HKSource]

    var body: some View {
        List {
            ForEach(sources, id: \.bundleIdentifier) { source in
                Label(source.name, systemImage: "app")
            }
            .onMove { priority.identifiers.move(fromOffsets: $0, toOffset: $1) }
        }
    }
}

extension HKSource {
    var isOwn: Bool { self == .default() }
    var initials: String { String(name.prefix(2)).uppercased() }
}

func legend(_ samples: [HKSample]) -> String {
    samples.map { "\($0.sourceRevision.source.name) (\($0.sourceRevision.version ?? "?"))" }
        .joined(separator: ", ")
}

func isWatch(_ sample: HKSample) -> Bool {
    guard let product = sample.sourceRevision.productType else { return false }
    return product.contains("Watch")
}
