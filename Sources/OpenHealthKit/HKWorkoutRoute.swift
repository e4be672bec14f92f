public import Foundation
public import HealthEngine

/// The path of a workout. Its locations come through ``HKWorkoutRouteQuery``.
// Immutable.
open class HKWorkoutRoute: HKSeriesSample, @unchecked Sendable {
    /// In order of time.
    let points: [RoutePoint]

    /// A route by its parts; not Apple's.
    ///
    /// - Parameter points: In order of time.
    public init(_record: SampleRecord, points: [RoutePoint]) {
        self.points = points
        super.init(_record: _record, count: points.count)
    }

    /// A route whose points its store keeps until a query asks for them.
    init(_record: SampleRecord, storedCount: Int) {
        points = []
        super.init(_record: _record, count: storedCount)
    }

    /// Reads an archived route.
    public required init?(coder: NSCoder) {
        points = coder.property([RoutePoint].self, "points") ?? []
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(property: points, for: "points")
    }

    override var detail: SampleDetail? { .route(points) }
}
