import HealthEngine
import HealthStorage

/// What the passes before the reading find: that the digests are right, and which records of the
/// body belong together.
///
/// A route can come before its workout, and a component before its correlation. Only the places of
/// records are kept, not their contents.
struct OpenHealthExporterOutline {
    /// The offset of a correlation, and the type of one of its components.
    private struct Membership {
        let correlation: Int
        let type: Int32
    }

    private let body: OpenHealthExporterBody
    private let receivedAt: Double
    /// The offset of each valid workout, of its last copy if there are several.
    private var workouts: [SampleUUID: Int] = [:]
    /// The routes of each workout, in the order of the body.
    private var routes: [SampleUUID: [Range<Int>]] = [:]
    /// The components of valid correlations. If several correlations have one, the last counts.
    private var memberships: [SampleUUID: Membership] = [:]
    /// The valid samples that are components, of the last copy if there are several.
    private var components: [SampleUUID: Range<Int>] = [:]

    /// Goes through a body.
    ///
    /// - Throws: ``IntakeError/digestMismatch`` if a footer states another digest than that of the
    ///   bytes; ``IntakeError/incompleteBatch`` for a header without a footer, or with more records
    ///   than follow; other ``IntakeError``s for a body that can't be read.
    init(_ body: OpenHealthExporterBody, receivedAt: Double) throws {
        self.body = body
        self.receivedAt = receivedAt
        try findRecords()
        if !memberships.isEmpty { try findComponents() }
    }

    private mutating func findRecords() throws {
        let body = self.body
        var digest = OpenHealthExporterDigest(body)
        var batch = OpenHealthExporterBatch()
        var count = 0
        try body.forEachEntry { place, reader in
            let entry = try OpenHealthExporterEntry(place, &reader)
            switch entry.role {
            case .header:
                try requireEnd(of: batch, count)
                batch = OpenHealthExporterBatch(header: try body.value(at: entry.place))
                try digest.begin(after: entry.place)
                count = 0
            case .footer:
                if count < batch.recordCount { throw IntakeError.incompleteBatch }
                batch = OpenHealthExporterBatch()
                try digest.end(at: entry.place, try body.value(at: entry.place))
            case .record:
                try digest.add(entry.place)
                try add(entry, of: batch)
                count += 1
            }
        }
        try requireEnd(of: batch, count)
    }

    /// Checks that a batch without a footer isn't one whose end is missing: stored under its key, it
    /// would keep the sender's whole batch out. A document ends with its bracket.
    private func requireEnd(of batch: OpenHealthExporterBatch, _ count: Int) throws {
        if batch.hasHeader, body.form == .lines || count < batch.recordCount {
            throw IntakeError.incompleteBatch
        }
    }

    private mutating func add(
        _ entry: OpenHealthExporterEntry, of batch: OpenHealthExporterBatch
    ) throws {
        switch entry.kind {
        case "series.workoutRoute":
            if let parent = entry.parent, !batch.isDemo {
                routes[parent, default: []].append(entry.place)
            }
        case "workout", "sample.correlation":
            switch try record(at: entry.place, of: batch) {
            case .workout(let workout)?: workouts[workout.uuid] = entry.place.lowerBound
            case .correlation(let correlation)?:
                for component in correlation.components {
                    memberships[component.uuid] = Membership(
                        correlation: entry.place.lowerBound, type: component.sample.type)
                }
            default: break
            }
        default: break
        }
    }

    private mutating func findComponents() throws {
        let body = self.body
        var batch = OpenHealthExporterBatch()
        try body.forEachEntry { place, reader in
            let entry = try OpenHealthExporterEntry(place, &reader)
            switch entry.role {
            case .header:
                batch = OpenHealthExporterBatch(header: try body.value(at: entry.place))
            case .footer: batch = OpenHealthExporterBatch()
            case .record:
                guard entry.kind == "sample.quantity", let uuid = entry.uuid,
                    memberships[uuid] != nil,
                    case .sample(let sample)? = try record(at: entry.place, of: batch),
                    isComponent(sample)
                else { return }
                components[uuid] = entry.place
            }
        }
    }

    /// Reads a record; nil for one that isn't understood or is invalid.
    private func record(
        at place: Range<Int>, of batch: OpenHealthExporterBatch = OpenHealthExporterBatch()
    ) throws -> OpenHealthExporterRecord? {
        let value = try body.value(at: place)
        return try? OpenHealthExporterRecord(value, of: batch, receivedAt: receivedAt)
    }

    // MARK: - Records that belong together

    /// Returns the route of a workout at an offset; nil for none. If the body has several copies of
    /// the workout, the last one has the route.
    func route(of workout: OpenHealthExporterWorkout, at offset: Int) throws -> WorkoutRoute? {
        guard workouts[workout.uuid] == offset else { return nil }
        var chunks: [OpenHealthExporterRoute] = []
        for place in routes[workout.uuid] ?? [] {
            if case .route(let chunk)? = try record(at: place) { chunks.append(chunk) }
        }
        return OpenHealthExporterRoute.joined(chunks)
    }

    /// Returns whether the workout of a route is in the body, so that the route is part of it.
    func hasWorkout(of route: OpenHealthExporterRoute) -> Bool { workouts[route.parent] != nil }

    /// Returns the components to add with a correlation at an offset. Where the body also has the
    /// component as a sample, it is that one, which has more facts.
    func components(
        of correlation: OpenHealthExporterCorrelation, at offset: Int
    ) throws -> [ReceivedSample] {
        var samples: [ReceivedSample] = []
        for component in correlation.components
        where memberships[component.uuid]?.correlation == offset {
            if let place = components[component.uuid],
                case .sample(let sample)? = try record(at: place)
            {
                samples.append(sample)
            } else {
                samples.append(component.sample)
            }
        }
        return samples
    }

    /// Returns whether a sample is added with a correlation, and not on its own.
    func isComponent(_ sample: ReceivedSample) -> Bool {
        guard case .healthKit(let uuid) = sample.identity else { return false }
        return memberships[uuid]?.type == sample.type
    }
}
