public import Foundation

/// A provider of revisions, which detect changes of stored data.
public protocol RevisionProvider: Sendable {
    /// Returns the revisions of metrics. Equal revisions of a metric mean that its stored samples
    /// are equal.
    ///
    /// - Parameter metrics: The metrics.
    /// - Returns: The revisions. Metrics without a known revision are omitted; their cached values
    ///   are treated as stale.
    /// - Throws: The errors of the store.
    func revisions(of metrics: [Metric]) async throws -> [Metric: Revision]
}

/// Revisions from HealthKit's anchored queries.
///
/// The first call for a type reads all its samples to get the anchor; calls with a stored anchor
/// read only changes. A type's revision also changes when its last readable sample disappears, so a
/// revoked read permission makes cached values stale. All types without requested authorization
/// share one revision. An anchor that cannot be decoded or that HealthKit rejects is ignored, and
/// all samples are read again.
///
/// A change of the source order in the Health app changes no anchor. A dashboard should therefore
/// read again whenever it is opened, and show cached values meanwhile.
public actor AnchorRevisions: RevisionProvider {
    /// The last anchor and the revision of a type.
    private struct Position: Codable {
        var anchor: Data
        /// The text of the type's revision, a new one after each change. It ends with "-" if the
        /// type has no readable sample.
        var stamp: String
    }

    /// The revision of a type without requested authorization.
    private static let notDetermined = Revision("not asked")

    private let store: HKHealthStore
    private let file: URL?
    private var positions: [String: Position]

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - store: The health store.
    ///   - file: The file for the anchors and revisions; nil to keep them in memory. A file that
    ///     cannot be read is ignored and replaced.
    public init(store: HKHealthStore, file: URL? = nil) {
        self.store = store
        self.file = file
        let data = file.flatMap(DashboardCacheFile.read)
        positions =
            data.flatMap { try? PropertyListDecoder().decode([String: Position].self, from: $0) }
            ?? [:]
    }

    /// Returns the revisions of metrics. Equal revisions of a metric mean that its stored samples
    /// are equal.
    ///
    /// - Parameter metrics: The metrics.
    /// - Returns: The revisions. Metrics without a sample type on this system, such as
    ///   ``Metric/rings``, are omitted; their cached values are treated as stale.
    /// - Throws: HealthKit's errors.
    public func revisions(of metrics: [Metric]) async throws -> [Metric: Revision] {
        var revisions: [Metric: Revision] = [:]
        for metric in metrics {
            guard let type = metric.sampleType else { continue }
            do {
                let position = try await checked(type)
                positions[type.identifier] = position
                revisions[metric] = Revision(position.stamp)
            } catch  where Unavailability(error) == .notDetermined {
                positions[type.identifier] = nil
                revisions[metric] = Self.notDetermined
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

    /// Reads all changes of a type after a position, and returns the last anchor and whether there
    /// were changes. Without a usable anchor, it reads all samples and reports a change.
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
