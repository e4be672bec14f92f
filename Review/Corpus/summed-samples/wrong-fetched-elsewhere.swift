// The samples come from another module; what is measured in energy is cumulative all the same.
import HealthKit
import HealthLoading

struct EnergyPanel {
    let loader: SampleLoader

    func burned(on date: Date) async throws -> Double {
        let samples = try await fetchEnergySamples(for: date)
        return samples.reduce(0.0) { $0 + $1.quantity.doubleValue(for: .kilocalorie()) }  // finds summed-samples
    }

    func eaten(on date: Date) async throws -> Double {
        let meals = try await loader.samples(of: .dietaryEnergyConsumed, on: date)
        var total = 0.0
        for meal in meals {
            total += meal.quantity.doubleValue(for: .largeCalorie())  // finds summed-samples
        }
        return total
    }

    func resting(on date: Date) async throws -> Double {
        try await loader.samples(of: .basalEnergyBurned, on: date)
            .filter { $0.sourceRevision.source == HKSource.default() }
            .reduce(0) { $0 + $1.quantity.doubleValue(for: .kilocalorie()) }
    }

    func during(_ workout: HKWorkout) async throws -> Double {
        try await loader.samples(of: .activeEnergyBurned, during: workout)
            .reduce(0) { $0 + $1.quantity.doubleValue(for: .kilocalorie()) }
    }

    func walked(on date: Date) async throws -> Double {
        try await loader.samples(of: .height, on: date)
            .reduce(0) { $0 + $1.quantity.doubleValue(for: .meter()) }
    }
}
