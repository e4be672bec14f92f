import Foundation
import HealthSimulator
import HealthStorage

/// The numbers of what happened in schedules.
struct IntakeCounts: Sendable {
    var schedules = 0
    var requests = 0
    var kills = 0
    var lostAnswers = 0
    var cuts = 0
    var replays = 0
    /// Answers with status 503.
    var unavailable = 0
    var samples = 0
    var deletions = 0

    mutating func add(_ other: IntakeCounts) {
        schedules += other.schedules
        requests += other.requests
        kills += other.kills
        lostAnswers += other.lostAnswers
        cuts += other.cuts
        replays += other.replays
        unavailable += other.unavailable
        samples += other.samples
        deletions += other.deletions
    }
}

/// A violation that a schedule found: a difference between the stores, or an answer that no request
/// should get.
struct IntakeFinding: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// The execution of one schedule: the person, the apps, and the receiver with its faults. Blocks,
/// so it must not run in a task.
final class IntakeRun {
    private let schedule: IntakeSchedule
    private let folder: String
    private let template: ReceiverTemplate
    private var random: TortureRandom
    private var receiver: ReceiverProcess?
    private var killsLeft: Int
    private var acknowledged: [PhoneRequest] = []
    /// The first receipt with a wrong number. Differences of the stores are reported before it.
    private var wrongReceipt: IntakeFinding?
    private(set) var counts = IntakeCounts(schedules: 1)

    init(_ schedule: IntakeSchedule, _ template: ReceiverTemplate, folder: String) {
        self.schedule = schedule
        self.template = template
        self.folder = folder
        random = TortureRandom(seed: schedule.seed &* 2 &+ 1)
        killsLeft = schedule.kills
    }

    private var storePath: String { folder + "/" + ReceiverTemplate.store }

    /// A request in the queue with the faults of its first attempts.
    private struct Delivery {
        var request: PhoneRequest
        var fault: DeliveryFault?
        var isReplay = false
        var attempts = 0
    }

    /// Plays the schedule, and compares the stores.
    ///
    /// - Throws: ``IntakeFinding`` for a violation, other errors if the schedule can't be played.
    func play() throws {
        try template.copy(to: folder)
        // Health Auto Export sends only the start of a measurement, so one that lasts past midnight
        // belongs to one day instead of two.
        let person = try IntakePerson(
            schedule.person, ends: schedule.dialects == [.healthAutoExport] ? .unknown : .known,
            folder: folder, &random)
        let apps = try schedule.dialects.enumerated().map { index, dialect in
            dialect.app(
                try PhoneReader(path: person.path), token: template.tokens[index],
                zone: person.zone, pageSize: schedule.pageSize, &random)
        }
        for round in 0...schedule.rounds {
            if round > 0 { try person.change(&random) }
            try deliver(apps.flatMap { try $0.pass(&random) })
        }
        guard try running().end() else {
            throw IntakeFinding("The receiver ignores SIGTERM.")
        }
        receiver = nil
        counts.deletions = person.deleted.count
        let expected = schedule.hasDeletions ? person.store : person.undeleted
        let received = try SampleStore(at: storePath, access: .reading)
        counts.samples = try StoreComparison(
            schedule.dialects, expected: expected, received: received, days: person.days,
            deleted: schedule.hasDeletions ? person.deleted : []
        ).check()
        if let wrongReceipt { throw wrongReceipt }
    }

    // MARK: Delivery

    /// Delivers requests in random order, mixed with replays of acknowledged ones, until all are
    /// acknowledged.
    private func deliver(_ requests: [PhoneRequest]) throws {
        var queue = requests.map { request in
            Delivery(
                request: request,
                fault: random.percent(schedule.faultPercent)
                    ? DeliveryFault.random(&random, killsLeft: killsLeft) : nil)
        }
        queue += replays(of: acknowledged)
        queue = random.shuffled(queue)
        while !queue.isEmpty {
            let width = 1 + random.below(schedule.width)
            let group = Array(queue.prefix(width))
            queue.removeFirst(group.count)
            for var delivery in try attempt(group) {
                delivery.fault =
                    delivery.attempts < 3 && random.percent(schedule.faultPercent / 2)
                    ? DeliveryFault.random(&random, killsLeft: killsLeft) : nil
                if !delivery.isReplay { delivery.request = delivery.request.resent(&random) }
                queue.insert(delivery, at: random.below(queue.count + 1))
            }
            for delivery in group where !delivery.isReplay && random.percent(10) {
                // A copy that was delayed on its way; the app has its answer already, or not.
                queue += replays(of: [delivery.request])
                queue = random.shuffled(queue)
            }
        }
    }

    /// Returns copies of some requests.
    private func replays(of requests: [PhoneRequest]) -> [Delivery] {
        guard !requests.isEmpty else { return [] }
        var copies: [Delivery] = []
        for _ in 0..<min(3, requests.count) {
            let request = random.pick(requests)
            for _ in 0..<(1 + random.below(schedule.replays)) {
                copies.append(Delivery(request: request, isReplay: true))
            }
        }
        return Array(copies.prefix(12))
    }

    /// Sends requests at the same time. Returns those that were not acknowledged.
    private func attempt(_ group: [Delivery]) throws -> [Delivery] {
        var group = group
        for index in group.indices { group[index].attempts += 1 }
        if group.contains(where: { $0.fault == .killBefore }), killsLeft > 0 { killReceiver() }
        if receiver == nil, group.contains(where: { $0.fault == .killBefore }) {
            // Nothing listens: the apps get no connection, and try again later.
            _ = try running()
            return group
        }
        let receiver = try running()
        var connections: [ReceiverConnection?] = []
        for delivery in group {
            counts.requests += 1
            if delivery.isReplay { counts.replays += 1 }
            guard let connection = ReceiverConnection(port: receiver.port) else {
                throw IntakeFinding("The receiver refuses a connection.")
            }
            connections.append(connection)
            send(delivery, connection, receiver)
        }
        return try settle(group, connections, receiver)
    }

    /// Sends a request, or the part of it that its fault lets through.
    private func send(
        _ delivery: Delivery, _ connection: ReceiverConnection, _ receiver: ReceiverProcess
    ) {
        let bytes = delivery.request.bytes(port: receiver.port)
        switch delivery.fault {
        case .cut(let percent):
            connection.send(bytes.prefix(bytes.count * percent / 100))
            connection.close()
            counts.cuts += 1
        case .killDuring(let percent):
            connection.send(bytes.prefix(bytes.count * percent / 100))
        case .lostAnswer(let pause):
            connection.send(bytes)
            usleep(pause)
            connection.close()
            counts.lostAnswers += 1
        default:
            connection.send(bytes)
        }
    }

    /// Reads the answers, or kills the receiver. Returns the requests without an acknowledgement.
    private func settle(
        _ group: [Delivery], _ connections: [ReceiverConnection?], _ receiver: ReceiverProcess
    ) throws -> [Delivery] {
        var isKilled = false
        for delivery in group where killsLeft > 0 && !isKilled {
            switch delivery.fault {
            case .killDuring: isKilled = true
            case .killAfter(let pause):
                usleep(pause)
                isKilled = true
            default: break
            }
        }
        if isKilled { killReceiver() }
        var open: [Delivery] = []
        for (delivery, connection) in zip(group, connections) {
            switch delivery.fault {
            case .cut, .lostAnswer:
                open.append(delivery)
                continue
            case .killDuring where !isKilled:
                // No kills are left, so this was a lost connection.
                connection?.close()
                open.append(delivery)
                continue
            default: break
            }
            guard let answer = connection?.answer() else {
                guard isKilled else {
                    throw IntakeFinding(
                        "No answer to \(delivery.request.label). \(receiver.errorText.suffix(500))")
                }
                open.append(delivery)
                continue
            }
            if try isAcknowledged(delivery, answer) {
                if !delivery.isReplay { acknowledged.append(delivery.request) }
            } else {
                open.append(delivery)
            }
        }
        if group.contains(where: { $0.fault == .killAfterAnswer }), killsLeft > 0 {
            killReceiver()
        }
        return open
    }

    /// Returns whether an answer acknowledges a request; false if the app has to try again.
    private func isAcknowledged(_ delivery: Delivery, _ answer: ReceiverAnswer) throws -> Bool {
        let text = "\(delivery.request.label): status \(answer.status), \(answer.text.prefix(600))"
        switch answer.status {
        case 200..<300: break
        case 503:
            counts.unavailable += 1
            guard delivery.attempts < 200 else { throw IntakeFinding("503 for ever: \(text)") }
            // The receiver's pause, shortened: the schedule has no other work meanwhile.
            let pause = answer.headers["retry-after"].flatMap { UInt32($0) }
            guard pause != nil else { throw IntakeFinding("503 without Retry-After: \(text)") }
            usleep(20_000)
            return false
        default: throw IntakeFinding("Unexpected answer to \(text)")
        }
        guard let receipt = answer.object else { throw IntakeFinding("No JSON: \(text)") }
        // A late copy of a deleted sample is rejected as "tombstoned".
        let late = (receipt["records"] as? [[String: Any]] ?? [])
            .count { $0["reason"] as? String == "tombstoned" }
        if let rejected = receipt["rejected"] as? Int, rejected != late {
            throw IntakeFinding("Valid records were rejected: \(text)")
        }
        if let records = delivery.request.records {
            let received = (receipt["received"] ?? receipt["records_received"]) as? Int
            if let received, !records.contains(received), wrongReceipt == nil {
                wrongReceipt = IntakeFinding(
                    "\(records.upperBound) records were sent, not: \(text)")
            }
        }
        return true
    }

    // MARK: The receiver

    private func running() throws -> ReceiverProcess {
        if let receiver {
            guard receiver.isRunning else {
                throw IntakeFinding("The receiver ended by itself: \(receiver.errorText)")
            }
            return receiver
        }
        let new = try ReceiverProcess.serving(
            storePath, in: folder, zone: schedule.person.homeTimeZone)
        receiver = new
        return new
    }

    private func killReceiver() {
        guard let receiver, killsLeft > 0 else { return }
        receiver.kill()
        self.receiver = nil
        killsLeft -= 1
        counts.kills += 1
    }
}
