import Foundation

extension Collection where Element: HKSample {
    /// Returns the sources of the samples in HealthKit's default priority, the highest first.
    ///
    /// The order is the Health app's own entries, Apple Watch, iPhone and similar devices, then
    /// apps and other devices (Semantics §1.2). It is estimated from public fields: bundle
    /// identifier, product type and device. Within a group, the source whose earliest sample in the
    /// collection starts last comes first. Sources with equal earliest starts are ordered by bundle
    /// identifier.
    ///
    /// - Parameter first: Sources to place before all others; those without samples are omitted.
    /// - Returns: Each source of the samples once.
    /// - Complexity: O(n + m log m) for n samples and m sources.
    public func rankedSources(preferring first: [HKSource] = []) -> [HKSource] {
        var candidates: [HKSource: Candidate] = [:]
        for sample in self {
            let source = sample.sourceRevision.source
            candidates[source, default: Candidate(source: source)].update(with: sample)
        }
        let preferred = first.filter { candidates.removeValue(forKey: $0) != nil }
        return preferred + candidates.values.sorted(by: <).map(\.source)
    }
}

/// A source with the fields that determine its priority.
private struct Candidate {
    /// The groups of the default order, the highest priority first.
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

    mutating func update(with sample: HKSample) {
        firstStart = Swift.min(firstStart, sample.startDate)
        // A third-party app is an app, even if it runs on a watch.
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
