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
/// reading was taken back, has a stamp of its own: what was shown before then counts no more. So has a
/// type that was never asked for, until it is. An anchor that can't be read, or that HealthKit refuses,
/// is as none.
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

    /// Of a type that nobody was asked for: it shows nothing until that changes.
    private static let notAsked = Revision("not asked")

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
            do {
                let position = try await checked(type)
                positions[type.identifier] = position
                revisions[metric] = Revision(position.stamp)
            } catch  where Unavailability(error) == .notAsked {
                positions[type.identifier] = nil
                revisions[metric] = Self.notAsked
            }
        }
        if let file, let data = try? PropertyListEncoder().encode(positions) {
            DashboardCacheFile.write(data, to: file)
        }
        return revisions
    }

    private func checked(_ type: HKSampleType) async throws -> Position {
        let known = positions[type.identifier]
        let something = try await HKSampleQueryDescriptor(
            predicates: [.sample(type: type)], sortDescriptors: [], limit: 1
        ).result(for: store)
        let (anchor, isChanged) = try await end(of: type, after: known)
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: anchor, requiringSecureCoding: true)
        let wasEmpty = known?.stamp.hasSuffix("-") ?? false
        var stamp = known?.stamp ?? ""
        if isChanged || wasEmpty != something.isEmpty {
            stamp = UUID().uuidString + (something.isEmpty ? "-" : "")
        }
        return Position(anchor: data, stamp: stamp)
    }

    /// Where the samples of a type end, and whether anything came since a position.
    private func end(
        of type: HKSampleType, after known: Position?
    ) async throws -> (anchor: HKQueryAnchor, isChanged: Bool) {
        var anchor = known.flatMap { position in
            try? NSKeyedUnarchiver.unarchivedObject(
                ofClass: HKQueryAnchor.self, from: position.anchor)
        }
        var isChanged = anchor == nil
        while true {
            do {
                let page = try await HKAnchoredObjectQueryDescriptor(
                    predicates: [.sample(type: type)], anchor: anchor, limit: 5000
                ).result(for: store)
                anchor = page.newAnchor
                if page.addedSamples.isEmpty && page.deletedObjects.isEmpty {
                    return (page.newAnchor, isChanged)
                }
                isChanged = true
            } catch let error as HKError
                where error.code == .errorInvalidArgument && anchor != nil
            {
                (anchor, isChanged) = (nil, true)
            }
        }
    }
}
