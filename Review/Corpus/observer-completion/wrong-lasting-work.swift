// Observers that start an upload or an import and don't wait for it.
import HealthKit

protocol FlightServer: Sendable {
    func send(_ flights: Double) async throws
}

@MainActor
final class LastingWork {
    private let store: HKHealthStore
    private let climbed: HKQuantityType
    private let server: FlightServer

    init(store: HKHealthStore, climbed: HKQuantityType, server: FlightServer) {
        self.store = store
        self.climbed = climbed
        self.server = server
    }

    func start() {
        let sending = HKObserverQuery(sampleType: climbed, predicate: nil) { [weak self] _, done, _ in
            Task { await self?.upload() }
            done()  // finds observer-completion
        }
        store.execute(sending)
        store.enableBackgroundDelivery(for: climbed, frequency: .hourly) { _, error in
            if let error { print(error) }
        }
    }

    func upload() async {
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: climbed), options: .cumulativeSum)
        guard let result = try? await descriptor.result(for: store),
            let flights = result.sumQuantity()?.doubleValue(for: .count())
        else { return }
        do {
            try await server.send(flights)
        } catch {
            print("not sent: \(error)")
        }
    }
}
