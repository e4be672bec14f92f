public import Foundation

/// Who says whether what is stored of a metric has changed.
public protocol RevisionProvider: Sendable {
    /// A stamp for each metric. Two equal stamps of one metric promise equal answers; a metric that
    /// nothing can be said of is missing, and nothing kept of it counts as valid.
    func revisions(of metrics: [Metric]) async throws -> [Metric: Revision]
}

/// Revisions over HealthKit alone: the anchored query's anchor, asked again each time.
///
/// The first time a type is met, its anchor is where all of its samples end, which reads them once;
/// later only what came since is read. A type that shows no sample at all, since none is there or
/// reading was taken back, has a stamp of its own: what was shown before then counts no more.
///
/// What a person changes in the Health app's order of sources leaves no trace in any anchor: a
/// dashboard reads again at each opening all the same, and shows what it knew meanwhile.
public actor AnchorRevisions: RevisionProvider {
    /// How far a type has been read.
    private struct Position: Codable {
        var anchor: Data
        /// Changes with each change.
        var stamp: String
    }

    private let store: HKHealthStore
    private let file: URL?
    private var positions: [String: Position]

    /// - Parameter file: Where the anchors are kept between launches; nil for nowhere. A file that
    ///   can't be read is as none.
    public init(store: HKHealthStore, file: URL? = nil) {
        self.store = store
        self.file = file
        let data = file.flatMap(DashboardCacheFile.read)
        positions =
            data.flatMap { try? PropertyListDecoder().decode([String: Position].self, from: $0) }
            ?? [:]
    }

    /// See ``RevisionProvider/revisions(of:)``.
    public func revisions(of metrics: [Metric]) async throws -> [Metric: Revision] {
        var revisions: [Metric: Revision] = [:]
        for metric in metrics {
            guard let type = metric.sampleType else { continue }
            let position = try await checked(type)
            positions[type.identifier] = position
            revisions[metric] = Revision(position.stamp)
        }
        if let file, let data = try? PropertyListEncoder().encode(positions) {
            try? data.write(to: file, options: .atomic)
        }
        return revisions
    }

    private func checked(_ type: HKSampleType) async throws -> Position {
        let known = positions[type.identifier]
        let something = try await HKSampleQueryDescriptor(
            predicates: [.sample(type: type)], sortDescriptors: [], limit: 1
        ).result(for: store)
        var anchor = try known.flatMap { position in
            try NSKeyedUnarchiver.unarchivedObject(
                ofClass: HKQueryAnchor.self, from: position.anchor)
        }
        var isChanged = known == nil
        while true {
            let page = try await HKAnchoredObjectQueryDescriptor(
                predicates: [.sample(type: type)], anchor: anchor, limit: 5000
            ).result(for: store)
            anchor = page.newAnchor
            if page.addedSamples.isEmpty && page.deletedObjects.isEmpty { break }
            isChanged = true
        }
        guard let anchor else { return Position(anchor: Data(), stamp: UUID().uuidString) }
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: anchor, requiringSecureCoding: true)
        let wasEmpty = known?.stamp.hasSuffix("-") ?? false
        var stamp = known?.stamp ?? ""
        if isChanged || wasEmpty != something.isEmpty {
            stamp = UUID().uuidString + (something.isEmpty ? "-" : "")
        }
        return Position(anchor: data, stamp: stamp)
    }
}
