import HealthEngine
import HealthStorage

/// A phone's app that sends Apple's totals and samples to a store, as the receiver takes them.
struct SendingPhone {
    let store: SampleStore
    var device = "Anna’s iPhone"
    var dialect = "health-auto-export"

    /// Sends intervals of totals over all sources in one request.
    func send(
        _ name: String, totals: [(start: Double, end: Double, value: Double)], at time: Double,
        series: String = ""
    ) throws {
        var page = IntakeBatch()
        let type = try store.type(named: name)
        page.totals = totals.enumerated().map { index, total in
            ExternalTotal(
                type: type.code, statistic: .sum, start: total.start, end: total.end,
                value: total.value, unit: type.displayUnit ?? "count", series: series,
                index: index)
        }
        page.recordCount = totals.count
        try send(page, at: time)
    }

    /// Sends samples of five minutes with HealthKit's UUIDs in one request.
    func send(
        _ name: String, samples: [(start: Double, value: Double, uuid: SampleUUID)],
        at time: Double
    ) throws {
        var page = IntakeBatch()
        let type = try store.type(named: name)
        page.samples.sources = [Source(name: "Watch", bundleIdentifier: "com.apple.health.W")]
        page.samples.origins = [Origin(source: 0, version: "1", unit: type.displayUnit)]
        page.samples.samples = samples.map {
            Sample(
                type: type.code, origin: 0, start: $0.start, end: $0.start + 300,
                created: $0.start + 300, value: $0.value)
        }
        page.identities = samples.map { .healthKit($0.uuid) }
        page.indices = Array(samples.indices)
        page.recordCount = samples.count
        try send(page, at: time)
    }

    /// Sends a page in one request.
    func send(_ page: IntakeBatch, at time: Double) throws {
        let delivery = IntakeDelivery(
            device: device, dialect: dialect, bodyDigest: [], receivedAt: time)
        guard case .pending(let receipt) = try store.beginIntake(delivery) else { return }
        _ = try store.finishIntake(try store.take(page, of: delivery, receipt))
    }
}
