public import HealthEngine

/// A sequence of a simulation's samples in batches, generated on demand: type by type, each in
/// order of days.
///
/// Sources and their indices are the same in every batch. A correlation is in the same batch as its
/// members.
public struct SimulatedBatches: Sequence, IteratorProtocol {
    private enum Pass: CaseIterable {
        case steps, distance, flights, heartRate, restingHeartRate, variability, oxygen
        case activeEnergy, basalEnergy, audio, bodyMass, sleep, standHours
        case bloodPressure, food, workouts, rings
    }

    private let simulation: Simulation
    private let sources: [Source]
    private var passes = Pass.allCases[...]
    private var day = 0
    private var nextKey: Int64 = 1

    init(_ simulation: Simulation) {
        self.simulation = simulation
        sources = simulation.sources
    }

    /// Returns the next batch.
    ///
    /// - Returns: A batch with at least one sample; nil after the last one.
    /// - Complexity: O(days and samples of the batch).
    public mutating func next() -> SampleBatch? {
        while let pass = passes.first {
            let days = day..<Swift.min(day + daysPerBatch(pass), simulation.calendar.count)
            if days.isEmpty {
                passes.removeFirst()
                day = 0
                continue
            }
            day = days.upperBound
            var builder = BatchBuilder(sources: sources, firstKey: nextKey)
            record(pass, days, into: &builder)
            if builder.batch.samples.isEmpty { continue }
            nextKey += Int64(builder.batch.samples.count)
            return builder.batch
        }
        return nil
    }

    /// Returns the maximum number of days in a batch. All blood pressures are in one batch, and all
    /// meals, because their samples are few and ordered by type.
    private func daysPerBatch(_ pass: Pass) -> Int {
        switch pass {
        case .bloodPressure, .food: simulation.calendar.count
        case .workouts: 60
        default:
            Swift.max(
                1, Swift.min(400, 15_000 * simulation.calendar.count / simulation.person.records))
        }
    }

    private func record(_ pass: Pass, _ days: Range<Int>, into builder: inout BatchBuilder) {
        switch pass {
        case .bloodPressure: simulation.recordBloodPressure(days, into: &builder)
        case .food: simulation.recordFood(days, into: &builder)
        default:
            for day in days { record(pass, simulation.plan(day), into: &builder) }
        }
    }

    private func record(_ pass: Pass, _ plan: DayPlan, into builder: inout BatchBuilder) {
        switch pass {
        case .steps: simulation.recordSteps(plan, into: &builder)
        case .distance: simulation.recordDistance(plan, into: &builder)
        case .flights: simulation.recordFlights(plan, into: &builder)
        case .heartRate: simulation.recordHeartRate(plan, into: &builder)
        case .restingHeartRate: simulation.recordRestingHeartRate(plan, into: &builder)
        case .variability: simulation.recordVariability(plan, into: &builder)
        case .oxygen: simulation.recordOxygen(plan, into: &builder)
        case .activeEnergy: simulation.recordActiveEnergy(plan, into: &builder)
        case .basalEnergy: simulation.recordBasalEnergy(plan, into: &builder)
        case .audio: simulation.recordAudio(plan, into: &builder)
        case .bodyMass: simulation.recordBodyMass(plan, into: &builder)
        case .sleep: simulation.recordSleep(plan, into: &builder)
        case .standHours: simulation.recordStandHours(plan, into: &builder)
        case .workouts: simulation.recordWorkouts(plan, into: &builder)
        case .rings: simulation.recordRings(plan, into: &builder)
        case .bloodPressure, .food: break
        }
    }
}

/// Builds a batch in which equal origins and equal metadata are stored once.
struct BatchBuilder {
    private(set) var batch: SampleBatch
    private var origins: [Origin: Int32] = [:]
    private var metadata: [Metadata: Int32] = [:]
    private var nextKey: Int64

    init(sources: [Source], firstKey: Int64) {
        batch = SampleBatch(sources: sources)
        nextKey = firstKey
    }

    mutating func origin(_ origin: Origin) -> Int32 {
        if let known = origins[origin] { return known }
        let index = Int32(batch.origins.count)
        batch.origins.append(origin)
        origins[origin] = index
        return index
    }

    mutating func metadata(_ entries: Metadata) -> Int32 {
        if let known = metadata[entries] { return known }
        let index = Int32(batch.metadata.count)
        batch.metadata.append(entries)
        metadata[entries] = index
        return index
    }

    /// Adds a sample that is saved `delay` seconds after its end, and returns its index.
    @discardableResult
    mutating func add(
        _ type: Int32, _ origin: Int32, _ range: Range<Int>, value: Double = .nan,
        metadata: Int32 = -1, delay: Int = 12, detail: SampleDetail? = nil
    ) -> Int {
        let index = batch.samples.count
        batch.samples.append(
            Sample(
                type: type, origin: origin, metadata: metadata, start: Double(range.lowerBound),
                end: Double(range.upperBound), created: Double(range.upperBound + delay),
                value: value, key: nextKey))
        nextKey += 1
        if let detail { batch.details[index] = detail }
        return index
    }

    /// Adds samples to a correlation as members.
    mutating func join(_ members: [Int], to correlation: Int) {
        for member in members { batch.parents[member] = correlation }
    }
}
