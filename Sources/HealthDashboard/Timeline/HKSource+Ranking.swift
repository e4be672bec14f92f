import Foundation

extension Collection where Element: HKSample {
    /// The sources of these samples in the order in which HealthKit would prefer them, the winner
    /// first: the Health app's own entries, Apple Watch, iPhone and its kin, then apps and other
    /// devices (Semantics §1.2).
    ///
    /// A guess from public fields: the bundle identifier, the product type, the device. Inside a group
    /// the newest comes first, told by its earliest sample among these, then by bundle identifier.
    ///
    /// - Parameter first: Sources to put before all others; those without samples are left out.
    /// - Complexity: O(n + sources · log sources).
    public func rankedSources(preferring first: [HKSource] = []) -> [HKSource] {
        var candidates: [HKSource: Candidate] = [:]
        for sample in self {
            let source = sample.sourceRevision.source
            candidates[source, default: Candidate(source: source)].meet(sample)
        }
        let preferred = first.filter { candidates.removeValue(forKey: $0) != nil }
        return preferred + candidates.values.sorted(by: <).map(\.source)
    }
}

/// A source with what its samples tell of it.
private struct Candidate {
    /// Groups of the default order, the winner first.
    enum Group: Int {
        case healthApp, watch, phone, other
    }

    let source: HKSource
    private var group = Group.other
    private var firstStart = Date.distantFuture

    init(source: HKSource) {
        self.source = source
        if source.bundleIdentifier == "com.apple.Health" { group = .healthApp }
    }

    mutating func meet(_ sample: HKSample) {
        firstStart = Swift.min(firstStart, sample.startDate)
        // An app that runs on a Watch is an app.
        guard group == .other, source.bundleIdentifier.hasPrefix("com.apple.health") else { return }
        let device = sample.device
        let products = [
            sample.sourceRevision.productType, device?.model, device?.hardwareVersion, device?.name,
        ].compactMap(\.self)
        if products.contains(where: { $0.contains("Watch") }) {
            group = .watch
        } else if products.contains(where: { product in
            ["iPhone", "iPad", "iPod"].contains { product.hasPrefix($0) }
        }) {
            group = .phone
        }
    }

    static func < (a: Candidate, b: Candidate) -> Bool {
        if a.group != b.group { return a.group.rawValue < b.group.rawValue }
        if a.firstStart != b.firstStart { return a.firstStart > b.firstStart }
        return a.source.bundleIdentifier < b.source.bundleIdentifier
    }
}
