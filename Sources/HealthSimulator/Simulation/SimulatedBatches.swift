public import HealthEngine

/// A simulation's samples, made while they are asked for: type after type, each in order of days.
///
/// Sources and their indices are the same in every batch, and a correlation stands in the batch of
/// its members.
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

    /// The next samples, or nil after the last; never an empty batch.
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

    /// Readings and meals are few: all at once keeps their types together.
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
