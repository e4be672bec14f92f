import Foundation
import Synchronization

extension Suite {
    /// What devices send: throughput into a large store, memory, the way to a page, and many
    /// devices at once.
    static let receiving = Suite(name: "receiving") { context, card in
        let store = context.file("receiving.sqlite")
        Progress.show("importing")
        _ = try context.openhealth("import", context.export, "--json", store: store).succeed()
        defer { context.removeDatabase(store) }
        let devices = try (0..<200).map { number in
            Progress.show("adding device \(number + 1)")
            return try token("device \(number + 1)", context, store)
        }
        let server = try PageServer(context.openhealth, store: store, ["--receive", "--port", "0"])
        try throughput(context, server, devices[0], store, &card)
        try latency(context, server, devices[1], &card)
        try manyDevices(context, server, devices, store, &card)
        try memory(context, store, devices[2], &card)
    }

    private static let address = "/api/v1/sdk/users/me/sync"
    private static let bodyRecords = 2_000

    private static func token(
        _ name: String, _ context: BenchmarkContext, _ store: String
    ) throws -> String {
        struct Device: Decodable { var token: String }
        let run = try context.openhealth("devices", "add", name, "--json", store: store).succeed()
        return try decoded(Device.self, from: run.output).token
    }

    /// Returns the number of samples of a store.
    private static func count(_ context: BenchmarkContext, _ store: String) throws -> Int {
        struct Contents: Decodable {
            struct TypeCount: Decodable { var samples: Int }
            var types: [TypeCount]
        }
        let run = try context.openhealth("types", "--json", store: store).succeed()
        return try decoded(Contents.self, from: run.output).types.reduce(0) { $0 + $1.samples }
    }

    /// Bodies that several connections share.
    private final class Queue: Sendable {
        let bodies: [(body: [UInt8], token: String)]
        private let next = Mutex(0)
        private let failure = Mutex<String?>(nil)

        init(_ bodies: [(body: [UInt8], token: String)]) { self.bodies = bodies }

        /// Posts bodies until none is left.
        func post(_ port: UInt16, _ cookie: String) {
            do {
                let client = try PageClient(port: port, cookie: cookie)
                while let (body, token) = take() {
                    let answer = try client.post(body, to: Suite.address, token: token)
                    guard answer.head.hasPrefix("http/1.1 202") else {
                        throw Failure("serve refused a body.")
                    }
                }
            } catch {
                failure.withLock { $0 = (error as? Failure)?.message ?? "\(error)" }
            }
        }

        private func take() -> (body: [UInt8], token: String)? {
            let index = next.withLock { next in
                defer { next += 1 }
                return next
            }
            return index < bodies.count ? bodies[index] : nil
        }

        func requireSuccess() throws(Failure) {
            if let message = failure.withLock({ $0 }) { throw Failure(message) }
        }
    }

    /// Posts bodies on several connections at once, and returns the seconds for all.
    private static func post(
        _ bodies: [(body: [UInt8], token: String)], _ server: PageServer, connections: Int
    ) throws -> Double {
        let queue = Queue(bodies)
        let clock = ContinuousClock()
        let start = clock.now
        let group = DispatchGroup()
        let (port, cookie) = (server.port, server.cookie)
        for _ in 0..<connections {
            group.enter()
            Thread.detachNewThread {
                queue.post(port, cookie)
                group.leave()
            }
        }
        group.wait()
        try queue.requireSuccess()
        return (clock.now - start) / .seconds(1)
    }

    private static func throughput(
        _ context: BenchmarkContext, _ server: PageServer, _ token: String, _ store: String,
        _ card: inout Scorecard
    ) throws {
        let before = try count(context, store)
        let requests = context.scale == .full ? 100 : 20
        var rates: [Double] = []
        var sent = 0
        for _ in 0..<context.scale.longRounds {
            Progress.show("making bodies")
            let bodies = (0..<requests).map { number in
                let first = sent + number * bodyRecords
                return (ReceivedBody.openWearables(from: first, bodyRecords), token)
            }
            sent += requests * bodyRecords
            Progress.show("sending \(requests * bodyRecords) samples")
            let seconds = try post(bodies, server, connections: 4)
            rates.append(Double(requests * bodyRecords) / seconds)
        }
        let stored = try count(context, store) - before
        try expect(stored == sent, "\(stored) of \(sent) samples are stored")
        card.addFinding(
            "samples received a second", Spread(rates.map { $0 / 1000 }), "k")
        card.passed("every sample that was sent is stored once.")
    }

    /// From the first byte of a request with one sample to the event that lets a page refresh.
    private static func latency(
        _ context: BenchmarkContext, _ server: PageServer, _ token: String, _ card: inout Scorecard
    ) throws {
        let (page, device) = (try server.client(), try server.client())
        try page.listen()
        var waits: [Double] = []
        let clock = ContinuousClock()
        for round in 0..<context.scale.shortRounds {
            let body = ReceivedBody.openWearables(from: 100_000_000 + round, 1)
            usleep(400_000)
            page.discardBytes()
            let start = clock.now
            _ = try device.post(body, to: address, token: token)
            try page.waitForBytes()
            waits.append((clock.now - start) / .seconds(1))
        }
        card.addFinding(
            "from a request to the page", Spread(waits.map { $0 * 1000 }), "ms")
    }

    private static func manyDevices(
        _ context: BenchmarkContext, _ server: PageServer, _ tokens: [String], _ store: String,
        _ card: inout Scorecard
    ) throws {
        Progress.show("\(tokens.count) devices at once")
        let before = try count(context, store)
        let bodies = tokens.enumerated().map { number, token in
            (ReceivedBody.openWearables(from: 200_000_000 + number * 1_000, 100), token)
        }
        let seconds = try post(bodies, server, connections: tokens.count)
        let stored = try count(context, store) - before
        try expect(stored == tokens.count * 100, "samples of some devices are missing")
        card.addFinding("200 devices at once", Spread([seconds]), "s")
        card.passed("200 devices that send at once get no error, and lose nothing.")
    }

    /// The peak memory of a server that receives a body of 100 MB.
    private static func memory(
        _ context: BenchmarkContext, _ store: String, _ token: String, _ card: inout Scorecard
    ) throws {
        Progress.show("sending 100 MB")
        let server = try PageServer(context.openhealth, store: store, ["--receive", "--port", "0"])
        let records = context.scale == .full ? 160_000 : 16_000
        let body = ReceivedBody.openWearables(from: 300_000_000, records)
        let seconds = try post([(body, token)], server, connections: 1)
        card.addFinding("a body of \(body.count / 1_000_000) MB", Spread([seconds]), "s")
        guard let peak = server.process.peakMemory else {
            return card.skip("peak memory of receiving: no /proc.")
        }
        card.addFinding(
            "peak memory of receiving it", Spread([peak / 1e6]), "MB")
    }
}
